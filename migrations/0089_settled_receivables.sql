-- What buyers owe is settled: by money that came another way, or written off as a loss.
ALTER TABLE ledger.account DROP CONSTRAINT account_kind_check;
ALTER TABLE ledger.account ADD CONSTRAINT account_kind_check CHECK (kind IN (
  'credits', 'issued', 'held', 'sales', 'lapsed',
  'payments', 'taxes', 'fees', 'fee_taxes', 'refunds', 'unearned', 'earned', 'receivables', 'losses'));
-- In an empty database the guards stand only once all migrations are applied.
ALTER TABLE ledger.account DISABLE TRIGGER account_guarded;
INSERT INTO ledger.account (kind, currency) VALUES ('losses', 'paise');
ALTER TABLE ledger.account ENABLE TRIGGER account_guarded;
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT given.kind, 'paise', source.ledger_account_id, target.ledger_account_id
FROM (VALUES ('collect', 'payments'), ('write_off', 'losses')) AS given (kind, target)
JOIN ledger.account AS source ON source.owner_id IS NULL AND source.kind = 'receivables'
JOIN ledger.account AS target ON target.owner_id IS NULL AND target.kind = given.target;
