-- The ledger defends itself: a transfer is one row that names both of its accounts, so its two entries are written whole
-- or not at all and none can be added. Balances of customers and of their lots of credits are kept and never below zero;
-- rupees lie beside the credits, in paise. A process of the release before moves no credits after this: it is refused.

-- Accounts. Customers' balances are kept; those of the books are sums, for nobody waits for their rows.
ALTER TABLE ledger.account DROP CONSTRAINT account_kind_check;
ALTER TABLE ledger.account
  ADD COLUMN currency text NOT NULL DEFAULT 'credits' CHECK (currency IN ('credits', 'paise')),
  ADD COLUMN balance  bigint CONSTRAINT account_never_below_zero CHECK (balance >= 0),
  ADD CONSTRAINT account_kind_check CHECK (kind IN (
    'credits', 'issued', 'sales', 'lapsed',
    'payments', 'taxes', 'fees', 'refunds', 'unearned', 'earned'));
INSERT INTO ledger.account (kind, currency) VALUES
  ('lapsed', 'credits'),
  ('payments', 'paise'), ('taxes', 'paise'), ('fees', 'paise'), ('refunds', 'paise'), ('unearned', 'paise'), ('earned', 'paise');

-- What a movement may be. Value goes from one account to the other; null stands for the customer's.
CREATE TABLE ledger.kind (
  kind                   text PRIMARY KEY,
  currency               text CHECK (currency IN ('credits', 'paise')),   -- null: that of the transfer it reverses
  from_id                bigint REFERENCES ledger.account,
  to_id                  bigint REFERENCES ledger.account
);
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT given.kind, given.currency, source.ledger_account_id, target.ledger_account_id
FROM (VALUES
  ('grant',     'credits', 'issued',   NULL),        -- credits given or sold
  ('revoke',    'credits', NULL,       'issued'),    -- taken back by an operator or with their money
  ('spend',     'credits', NULL,       'sales'),     -- of an order
  ('refund',    'credits', 'sales',    NULL),        -- of one item, into the lot it was paid from
  ('expire',    'credits', NULL,       'lapsed'),    -- of a lot whose end has come
  ('payment',   'paise',   'unearned', 'payments'),  -- money for credits, without its tax
  ('tax',       'paise',   'taxes',    'payments'),  -- the tax that came with it
  ('fee',       'paise',   'payments', 'fees'),      -- what the processor keeps
  ('earn',      'paise',   'earned',   'unearned'),  -- credits that were sold are spent, or have lapsed
  ('repay',     'paise',   'payments', 'refunds'),   -- money given back, without its tax
  ('repay_tax', 'paise',   'payments', 'taxes'),     -- the tax given back with it
  ('unsell',    'paise',   'refunds',  'unearned'),  -- credits taken back with the money given back
  ('reversal',  NULL,      NULL,       NULL)         -- the opposite of another transfer, which it names
) AS given (kind, currency, source, target)
LEFT JOIN ledger.account AS source ON source.owner_id IS NULL AND source.kind = given.source
LEFT JOIN ledger.account AS target ON target.owner_id IS NULL AND target.kind = given.target;

-- Credits of one customer, of one type, with one end: what is left of them is total less used.
CREATE TABLE ledger.lot (
  lot_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ledger_account_id      bigint NOT NULL REFERENCES ledger.account,
  type                   text NOT NULL CHECK (type IN ('purchased', 'plan', 'granted')),
  ends_at                timestamptz,           -- null: never
  total                  bigint NOT NULL DEFAULT 0,   -- given, less what was taken back or has lapsed
  used                   bigint NOT NULL DEFAULT 0,   -- spent, less what was refunded
  paid                   bigint NOT NULL DEFAULT 0,   -- paise that were paid for them, without tax
  earned                 bigint NOT NULL DEFAULT 0,   -- paise of these that are earned
  created_at             timestamptz NOT NULL DEFAULT now(),
  updated_at             timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT lot_never_below_zero CHECK (used >= 0 AND total >= used),
  CONSTRAINT lot_earns_what_was_paid CHECK (earned >= 0 AND paid >= earned),
  UNIQUE NULLS NOT DISTINCT (ledger_account_id, type, ends_at)
) WITH (fillfactor = 50);                        -- rewritten by every order: room for in-page updates
CREATE INDEX lot_left ON ledger.lot (ledger_account_id, ends_at) WHERE total > used;
CREATE INDEX lot_ending ON ledger.lot (ends_at) WHERE total > used AND ends_at IS NOT NULL;
CREATE INDEX lot_unearned ON ledger.lot (lot_id) WHERE paid > earned;
ALTER TABLE ledger.account SET (fillfactor = 50);

-- Everything that was moved before, entry by entry, into rows that hold both sides.
ALTER TABLE ledger.transfer RENAME TO transfer_before;
ALTER TABLE ledger.entry RENAME TO entry_before;
CREATE TABLE ledger.transfer (
  transfer_id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind                   text NOT NULL REFERENCES ledger.kind,
  reference              text NOT NULL UNIQUE,  -- order:<id>, refund:<item id>, grant:<uuid>: each happens once
  from_id                bigint NOT NULL REFERENCES ledger.account,
  to_id                  bigint NOT NULL REFERENCES ledger.account,
  amount                 bigint NOT NULL CHECK (amount > 0),   -- credits, or paise
  customer_id            bigint REFERENCES ledger.account,     -- whose credits move, or whose money it was
  lot_id                 bigint REFERENCES ledger.lot,
  balance_after          bigint CHECK (balance_after >= 0),    -- the customer's credits, where these moved
  order_id               uuid REFERENCES orders.purchase,
  item_id                uuid REFERENCES orders.item,
  reverses               bigint REFERENCES ledger.transfer,
  set_id                 bigint REFERENCES ledger.transfer,    -- first transfer of those that belong together
  actor                  text NOT NULL CHECK (actor <> ''),    -- operator, operator:<name>, system or account:<id>
  memo                   text,
  created_at             timestamptz NOT NULL,
  CHECK (from_id <> to_id),
  UNIQUE (transfer_id, order_id)                -- items name the spend of their own order
);
INSERT INTO ledger.lot (ledger_account_id, type, total, used)
SELECT ledger_account_id, 'granted',
       coalesce(sum(entry.amount) FILTER (WHERE transfer.kind IN ('grant', 'revoke')), 0),
       coalesce(-sum(entry.amount) FILTER (WHERE transfer.kind IN ('spend', 'refund')), 0)
FROM ledger.account AS account
JOIN ledger.entry_before AS entry USING (ledger_account_id)
JOIN ledger.transfer_before AS transfer USING (transfer_id)
WHERE account.kind = 'credits' GROUP BY ledger_account_id;
INSERT INTO ledger.transfer OVERRIDING SYSTEM VALUE
SELECT transfer.transfer_id, transfer.kind, transfer.reference, source.ledger_account_id, target.ledger_account_id, target.amount,
       customer.ledger_account_id, lot.lot_id,
       sum(CASE WHEN target.ledger_account_id = customer.ledger_account_id THEN target.amount ELSE source.amount END)
         OVER (PARTITION BY customer.ledger_account_id ORDER BY transfer.transfer_id),
       coalesce(spent.order_id, item.order_id), item.item_id, spend.transfer_id, NULL,
       'system', transfer.memo, transfer.created_at
FROM ledger.transfer_before AS transfer
JOIN ledger.entry_before AS source ON source.transfer_id = transfer.transfer_id AND source.amount < 0
JOIN ledger.entry_before AS target ON target.transfer_id = transfer.transfer_id AND target.amount > 0
JOIN ledger.account AS customer
  ON customer.ledger_account_id IN (source.ledger_account_id, target.ledger_account_id) AND customer.kind = 'credits'
JOIN ledger.lot ON lot.ledger_account_id = customer.ledger_account_id
LEFT JOIN orders.purchase AS spent ON transfer.kind = 'spend' AND transfer.reference = 'order:' || spent.order_id
LEFT JOIN orders.item ON transfer.kind = 'refund' AND transfer.reference = 'refund:' || item.item_id
LEFT JOIN ledger.transfer_before AS spend ON spend.kind = 'spend' AND spend.reference = 'order:' || item.order_id;
DO $$
BEGIN
  IF (SELECT count(*) FROM ledger.transfer) <> (SELECT count(*) FROM ledger.transfer_before) THEN
    RAISE EXCEPTION 'a transfer of before has not one entry on either side, or moved no customer''s credits';
  END IF;
  PERFORM setval(pg_get_serial_sequence('ledger.transfer', 'transfer_id'),
                 coalesce((SELECT max(transfer_id) FROM ledger.transfer), 0) + 1, false);
END $$;
UPDATE ledger.account SET balance = coalesce(
  (SELECT total - used FROM ledger.lot WHERE lot.ledger_account_id = account.ledger_account_id), 0) WHERE kind = 'credits';
ALTER TABLE ledger.account ADD CONSTRAINT account_balance_of_customers CHECK ((balance IS NULL) = (owner_id IS NULL));
DROP TABLE ledger.entry_before, ledger.transfer_before;
DROP FUNCTION ledger.check_transfer();
DROP FUNCTION ledger.check_balance();
DROP FUNCTION ledger.hold_account();

CREATE INDEX transfer_customer ON ledger.transfer (customer_id, transfer_id);
CREATE INDEX transfer_order ON ledger.transfer (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX transfer_lot ON ledger.transfer (lot_id);
CREATE INDEX transfer_set ON ledger.transfer (set_id) WHERE set_id IS NOT NULL;
CREATE INDEX transfer_reverses ON ledger.transfer (reverses) WHERE reverses IS NOT NULL;
CREATE UNIQUE INDEX transfer_reversed_once ON ledger.transfer (reverses) WHERE kind = 'reversal';
CREATE UNIQUE INDEX transfer_refunds_item_once ON ledger.transfer (item_id, reverses) WHERE kind = 'refund';

-- The two entries of each transfer; value leaves the one account with minus and reaches the other with plus.
CREATE VIEW ledger.entry AS
SELECT transfer_id * 2 - 1 AS entry_id, transfer_id, from_id AS ledger_account_id, -amount AS amount,
       CASE WHEN from_id = customer_id THEN balance_after END AS balance_after, created_at FROM ledger.transfer
UNION ALL
SELECT transfer_id * 2, transfer_id, to_id, amount,
       CASE WHEN to_id = customer_id THEN balance_after END, created_at FROM ledger.transfer;

-- The functions stand in migrations/functions; until those are applied nothing moves.
CREATE FUNCTION ledger.seal_transfer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.move_balances() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.guard_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.guard_lot() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

CREATE TRIGGER transfer_sealed BEFORE INSERT ON ledger.transfer FOR EACH ROW EXECUTE FUNCTION ledger.seal_transfer();
CREATE TRIGGER transfer_moves AFTER INSERT ON ledger.transfer FOR EACH ROW EXECUTE FUNCTION ledger.move_balances();
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER account_guarded BEFORE INSERT OR UPDATE ON ledger.account
  FOR EACH ROW EXECUTE FUNCTION ledger.guard_account();
CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE ON ledger.account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER lot_guarded BEFORE INSERT OR UPDATE ON ledger.lot FOR EACH ROW EXECUTE FUNCTION ledger.guard_lot();
CREATE TRIGGER lot_stays BEFORE DELETE OR TRUNCATE ON ledger.lot
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER kind_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.kind
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER entry_is_shown INSTEAD OF INSERT OR UPDATE OR DELETE ON ledger.entry
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
