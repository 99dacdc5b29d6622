-- The tax on the processor's fee is kept apart from the fee: what the seller takes back from the tax that is owed.
ALTER TABLE ledger.account DROP CONSTRAINT account_kind_check;
ALTER TABLE ledger.account ADD CONSTRAINT account_kind_check CHECK (kind IN (
  'credits', 'issued', 'held', 'sales', 'lapsed',
  'payments', 'taxes', 'fees', 'fee_taxes', 'refunds', 'unearned', 'earned', 'receivables'));
-- In an empty database the guards stand only once all migrations are applied.
ALTER TABLE ledger.account DISABLE TRIGGER account_guarded;
INSERT INTO ledger.account (kind, currency) VALUES ('fee_taxes', 'paise');
ALTER TABLE ledger.account ENABLE TRIGGER account_guarded;
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT 'fee_tax', 'paise', source.ledger_account_id, target.ledger_account_id
FROM ledger.account AS source CROSS JOIN ledger.account AS target
WHERE source.kind = 'payments' AND target.kind = 'fee_taxes' AND source.owner_id IS NULL AND target.owner_id IS NULL;
