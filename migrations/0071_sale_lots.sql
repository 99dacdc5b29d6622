-- Every sale has a lot of its own, so that money which goes back takes what is left of this sale and nothing of another one.
-- Money for credits that were used leaves what was earned, or is owed by whoever charged it back; what a processor tells and the
-- books cannot take is parked; no record of what a processor told is ever deleted.
ALTER TABLE ledger.lot
  ADD COLUMN sale text,                          -- reference of the grant that it is of alone; null: shared by type and end
  DROP CONSTRAINT lot_ledger_account_id_type_ends_at_key,
  ADD CONSTRAINT lot_of_one_type_and_end UNIQUE NULLS NOT DISTINCT (ledger_account_id, type, ends_at, sale);
-- Until those of migrations/functions are applied, the functions of before go on with the lots that they know.
DO $$
DECLARE
  source text;
BEGIN
  FOR source IN
    SELECT pg_get_functiondef(p.oid) FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname = 'ledger' AND p.proname IN ('grant_credits', 'open_lot')
  LOOP
    EXECUTE replace(source, 'ON CONFLICT (ledger_account_id, type, ends_at) DO NOTHING', 'ON CONFLICT DO NOTHING');
  END LOOP;
END $$;

ALTER TABLE ledger.account DROP CONSTRAINT account_kind_check;
ALTER TABLE ledger.account ADD CONSTRAINT account_kind_check CHECK (kind IN (
  'credits', 'issued', 'held', 'sales', 'lapsed',
  'payments', 'taxes', 'fees', 'refunds', 'unearned', 'earned', 'receivables'));
-- In an empty database the guards stand only once all migrations are applied.
ALTER TABLE ledger.account DISABLE TRIGGER account_guarded;
INSERT INTO ledger.account (kind, currency) VALUES ('receivables', 'paise');
ALTER TABLE ledger.account ENABLE TRIGGER account_guarded;
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT given.kind, 'paise', source.ledger_account_id, target.ledger_account_id
FROM (VALUES
  ('unearn',  'refunds',  'earned'),       -- of money given back: what was earned already
  ('owe',     'refunds',  'receivables'),  -- of money charged back: what the buyer used
  ('overpay', 'payments', 'receivables')   -- charged back beyond what the payment brought
) AS given (kind, source, target)
JOIN ledger.account AS source ON source.owner_id IS NULL AND source.kind = given.source
JOIN ledger.account AS target ON target.owner_id IS NULL AND target.kind = given.target;

ALTER TABLE orders.payment_event DROP CONSTRAINT payment_event_outcome_check;
ALTER TABLE orders.payment_event ADD CONSTRAINT payment_event_outcome_check CHECK (outcome IN (
  'asked', 'paid', 'known', 'credited', 'repaid', 'ignored', 'mismatch', 'parked', 'unknown_order', 'erased_account', 'forged',
  'expired'));
DROP INDEX orders.payment_event_open;
CREATE INDEX payment_event_open ON orders.payment_event (event_id)
  WHERE closed_at IS NULL AND outcome IN ('mismatch', 'parked', 'unknown_order', 'erased_account', 'credited');
CREATE TRIGGER payment_event_stays BEFORE DELETE OR TRUNCATE ON orders.payment_event
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
