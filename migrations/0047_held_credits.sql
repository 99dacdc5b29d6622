-- A credit may be held as its order is placed, spent once a CRM acknowledged the row, and released where it never will.
ALTER TABLE ledger.account DROP CONSTRAINT account_kind_check;
ALTER TABLE ledger.account ADD CONSTRAINT account_kind_check CHECK (kind IN (
  'credits', 'issued', 'held', 'sales', 'lapsed',
  'payments', 'taxes', 'fees', 'refunds', 'unearned', 'earned'));
-- In an empty database the guards stand only once all migrations are applied.
ALTER TABLE ledger.account DISABLE TRIGGER account_guarded;
INSERT INTO ledger.account (kind, currency) VALUES ('held', 'credits');
ALTER TABLE ledger.account ENABLE TRIGGER account_guarded;
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT given.kind, 'credits', source.ledger_account_id, target.ledger_account_id
FROM (VALUES
  ('hold',    NULL,   'held'),    -- of an order whose rows go into a CRM
  ('settle',  'held', 'sales'),   -- of rows that the CRM acknowledged: now they are spent
  ('release', 'held', NULL)       -- of one item that no CRM acknowledged, into the lot it was held from
) AS given (kind, source, target)
LEFT JOIN ledger.account AS source ON source.owner_id IS NULL AND source.kind = given.source
LEFT JOIN ledger.account AS target ON target.owner_id IS NULL AND target.kind = given.target;

ALTER TABLE ledger.lot
  ADD COLUMN held bigint NOT NULL DEFAULT 0,     -- of `used`: held, and not spent yet
  ADD CONSTRAINT lot_holds_of_what_is_used CHECK (held >= 0 AND held <= used);
CREATE INDEX lot_holding ON ledger.lot (lot_id) WHERE held > 0;
CREATE INDEX transfer_hold ON ledger.transfer (lot_id, created_at) WHERE kind = 'hold';
CREATE UNIQUE INDEX transfer_releases_item_once ON ledger.transfer (item_id, reverses) WHERE kind = 'release';
