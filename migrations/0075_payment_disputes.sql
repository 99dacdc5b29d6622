-- Disputes of payments: what a buyer's bank asks about, until it is decided; of a payment there may be several.
CREATE TABLE orders.payment_dispute (
  provider               text NOT NULL,
  dispute_id             text NOT NULL,         -- of the processor
  payment_id             text NOT NULL,
  amount                 bigint NOT NULL,       -- paise that are disputed
  currency               text NOT NULL,
  reason                 text,                  -- the processor's word for it
  respond_by             timestamptz,           -- until then evidence is taken
  state                  text NOT NULL CHECK (state IN ('open', 'won', 'lost', 'closed')),
  holds_account          boolean NOT NULL DEFAULT false,        -- it suspended the account, and lets it go when it is won
  opened_at              timestamptz NOT NULL DEFAULT now(),
  decided_at             timestamptz,
  PRIMARY KEY (provider, dispute_id),
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment,
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX payment_dispute_payment ON orders.payment_dispute (provider, payment_id);
CREATE TRIGGER payment_dispute_stays BEFORE DELETE OR TRUNCATE ON orders.payment_dispute
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

ALTER TABLE orders.payment_event DROP CONSTRAINT payment_event_outcome_check;
ALTER TABLE orders.payment_event ADD CONSTRAINT payment_event_outcome_check CHECK (outcome IN (
  'asked', 'paid', 'known', 'credited', 'repaid', 'charged_back', 'disputed', 'dispute_ended', 'ignored', 'mismatch', 'parked',
  'unknown_order', 'erased_account', 'forged', 'expired'));
DROP INDEX orders.payment_event_open;
CREATE INDEX payment_event_open ON orders.payment_event (event_id) WHERE closed_at IS NULL AND outcome IN (
  'charged_back', 'disputed', 'mismatch', 'parked', 'unknown_order', 'erased_account', 'credited');
