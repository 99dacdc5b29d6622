-- Refunds that operators ask the payment processor for: written before it is asked, so that none is lost or made twice
-- where a process dies between the call and its record.

CREATE TABLE orders.refund (
  request_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),     -- the processor's idempotency key, and its receipt
  provider               text NOT NULL,
  payment_id             text NOT NULL,
  reference              text NOT NULL UNIQUE,  -- of the operator: under one there is one refund
  amount                 bigint NOT NULL CHECK (amount > 0),             -- paise, tax included
  reason                 text NOT NULL,
  actor                  text NOT NULL CHECK (actor <> ''),
  status                 text NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'made', 'refused')),
  refund_id              text,                  -- of the processor
  detail                 text,                  -- why it was refused
  asked_at               timestamptz NOT NULL DEFAULT now(),
  answered_at            timestamptz,
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment,
  CHECK ((status = 'asked') = (answered_at IS NULL)),
  CHECK ((status = 'made') = (refund_id IS NOT NULL))
);
CREATE INDEX refund_payment ON orders.refund (provider, payment_id);
CREATE INDEX refund_waiting ON orders.refund (asked_at) WHERE status = 'asked';
