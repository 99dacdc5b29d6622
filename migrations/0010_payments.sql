-- Online payments: every payment that a processor told of, once, and the order that waits for it found by its id.

CREATE TABLE orders.payment (
  provider               text NOT NULL,
  payment_id             text NOT NULL,         -- of the processor
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  amount                 bigint NOT NULL,       -- in the currency's smallest unit: paise
  currency               text NOT NULL,
  received_at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, payment_id)
);
CREATE INDEX payment_order ON orders.payment (order_id);

-- Erasure empties `payment`, so an erased account's order is found no more.
CREATE UNIQUE INDEX purchase_payment ON orders.purchase ((payment ->> 'provider'), (payment ->> 'id'))
  WHERE payment IS NOT NULL;
