-- Everything that a payment processor told or was asked, also what fits no order; and money that went back.

CREATE TABLE orders.payment_event (
  event_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider               text NOT NULL,
  source                 text NOT NULL CHECK (source IN ('checkout', 'webhook', 'reconcile', 'operator')),
  name                   text NOT NULL,         -- the processor's own word: order.paid, refund.processed
  outcome                text NOT NULL CHECK (outcome IN ('asked', 'paid', 'known', 'credited', 'repaid', 'ignored', 'mismatch',
                           'unknown_order', 'erased_account', 'forged', 'expired')),
  payment_order_id       text,                  -- ids of the processor
  payment_id             text,
  refund_id              text,
  amount                 bigint,                -- paise
  currency               text,
  order_id               uuid,                  -- ours, also of an order whose account was erased
  detail                 text,
  received_at            timestamptz NOT NULL DEFAULT now(),
  closed_at              timestamptz,           -- an operator saw to what needed one
  closed_by              text,
  closed_note            text
);
CREATE INDEX payment_event_payment_order ON orders.payment_event (payment_order_id);
CREATE INDEX payment_event_payment ON orders.payment_event (payment_id);
CREATE INDEX payment_event_forged ON orders.payment_event (received_at) WHERE outcome = 'forged';
CREATE INDEX payment_event_open ON orders.payment_event (event_id)
  WHERE closed_at IS NULL AND outcome IN ('mismatch', 'unknown_order', 'erased_account', 'credited');

CREATE TABLE orders.repayment (
  provider               text NOT NULL,
  refund_id              text NOT NULL,         -- of the processor: a refund or a dispute
  payment_id             text NOT NULL,
  order_id               uuid REFERENCES orders.purchase,
  cause                  text NOT NULL CHECK (cause IN ('refund', 'chargeback')),
  amount                 bigint NOT NULL CHECK (amount > 0),
  currency               text NOT NULL,
  received_at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, refund_id),
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment
);
CREATE INDEX repayment_payment ON orders.repayment (provider, payment_id);
CREATE INDEX repayment_order ON orders.repayment (order_id);
CREATE INDEX purchase_waiting ON orders.purchase (created_at) WHERE status = 'pending' AND payment IS NOT NULL;
