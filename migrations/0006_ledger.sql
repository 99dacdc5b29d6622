-- The credit ledger: double entry, append only. Corrections are new transfers.

CREATE SCHEMA ledger;

-- One account per owner and kind. System accounts (owner null) may go below zero, customers' never.
CREATE TABLE ledger.account (
  ledger_account_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id               uuid REFERENCES access.account,
  kind                   text NOT NULL CHECK (kind IN ('credits', 'issued', 'held', 'sales', 'lapsed', 'payments',
    'taxes', 'fees', 'fee_taxes', 'refunds', 'unearned', 'earned', 'breakage', 'receivables', 'losses')),
  currency               text NOT NULL DEFAULT 'credits' CHECK (currency IN ('credits', 'paise')),
  balance                bigint CONSTRAINT account_never_below_zero CHECK (balance >= 0),
  CONSTRAINT account_balance_of_customers CHECK ((balance IS NULL) = (owner_id IS NULL)),
  CHECK ((kind = 'credits') = (owner_id IS NOT NULL))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX account_owner_kind ON ledger.account (owner_id, kind) NULLS NOT DISTINCT;

-- What a movement may be. Value goes from one account to the other; null stands for the customer's.
CREATE TABLE ledger.kind (
  kind                   text PRIMARY KEY,
  currency               text CHECK (currency IN ('credits', 'paise')),  -- null: that of the transfer it reverses
  from_id                bigint REFERENCES ledger.account,
  to_id                  bigint REFERENCES ledger.account
);

-- Credits of one customer, of one type, with one end: what is left of them is total less used.
CREATE TABLE ledger.lot (
  lot_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ledger_account_id      bigint NOT NULL REFERENCES ledger.account,
  type                   text NOT NULL CHECK (type IN ('purchased', 'plan', 'granted')),
  ends_at                timestamptz,           -- null: never
  total                  bigint NOT NULL DEFAULT 0,  -- given, less what was taken back or has lapsed
  used                   bigint NOT NULL DEFAULT 0,  -- spent, less what was refunded
  paid                   bigint NOT NULL DEFAULT 0,  -- paise that were paid for them, without tax
  earned                 bigint NOT NULL DEFAULT 0,  -- paise of these that are earned
  created_at             timestamptz NOT NULL DEFAULT now(),
  updated_at             timestamptz NOT NULL DEFAULT now(),
  held                   bigint NOT NULL DEFAULT 0,  -- of `used`: held, and not spent yet
  earns_from             timestamptz,           -- money for time is earned as the time passes, not as credits are spent
  sale                   text,                  -- reference of the grant that it is of alone; null: shared by type and end
  CONSTRAINT lot_of_one_type_and_end UNIQUE NULLS NOT DISTINCT (ledger_account_id, type, ends_at, sale),
  CONSTRAINT lot_earns_what_was_paid CHECK (earned >= 0 AND paid >= earned),
  CONSTRAINT lot_holds_of_what_is_used CHECK (held >= 0 AND held <= used),
  CONSTRAINT lot_never_below_zero CHECK (used >= 0 AND total >= used)
) WITH (fillfactor = 50);
CREATE INDEX lot_left ON ledger.lot (ledger_account_id, ends_at) WHERE total > used;
CREATE INDEX lot_ending ON ledger.lot (ends_at) WHERE total > used AND ends_at IS NOT NULL;
CREATE INDEX lot_unearned ON ledger.lot (lot_id) WHERE paid > earned;
CREATE INDEX lot_holding ON ledger.lot (lot_id) WHERE held > 0;

CREATE TABLE ledger.transfer (
  transfer_id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind                   text NOT NULL REFERENCES ledger.kind,
  reference              text NOT NULL UNIQUE,  -- order:<id>, refund:<item id>, grant:<uuid>: each happens once
  from_id                bigint NOT NULL REFERENCES ledger.account,
  to_id                  bigint NOT NULL REFERENCES ledger.account,
  amount                 bigint NOT NULL CHECK (amount > 0),  -- credits, or paise
  customer_id            bigint REFERENCES ledger.account,  -- whose credits move, or whose money it was
  lot_id                 bigint REFERENCES ledger.lot,
  balance_after          bigint CHECK (balance_after >= 0),  -- the customer's credits, where these moved
  order_id               uuid,
  item_id                uuid,
  reverses               bigint REFERENCES ledger.transfer,
  set_id                 bigint REFERENCES ledger.transfer,  -- first transfer of those that belong together
  actor                  text NOT NULL CHECK (actor <> ''),  -- operator, operator:<name>, system or account:<id>
  memo                   text,
  created_at             timestamptz NOT NULL,
  UNIQUE (transfer_id, order_id),
  CHECK (from_id <> to_id)
);
CREATE INDEX transfer_customer ON ledger.transfer (customer_id, transfer_id);
CREATE INDEX transfer_order ON ledger.transfer (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX transfer_lot ON ledger.transfer (lot_id);
CREATE INDEX transfer_set ON ledger.transfer (set_id) WHERE set_id IS NOT NULL;
CREATE INDEX transfer_reverses ON ledger.transfer (reverses) WHERE reverses IS NOT NULL;
CREATE UNIQUE INDEX transfer_reversed_once ON ledger.transfer (reverses) WHERE kind = 'reversal';
CREATE UNIQUE INDEX transfer_refunds_item_once ON ledger.transfer (item_id, reverses) WHERE kind = 'refund';
CREATE INDEX transfer_time ON ledger.transfer (created_at);
CREATE INDEX transfer_hold ON ledger.transfer (lot_id, created_at) WHERE kind = 'hold';
CREATE UNIQUE INDEX transfer_releases_item_once ON ledger.transfer (item_id, reverses) WHERE kind = 'release';
CREATE UNIQUE INDEX transfer_unsubscribed_once ON ledger.transfer (reverses) WHERE kind = 'unsubscribe';

-- What the nightly proof of the ledger found, for doctor and metrics.
CREATE TABLE ledger.proof (
  proof_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  proved_at              timestamptz NOT NULL DEFAULT now(),
  transfers              bigint NOT NULL,       -- in the ledger then
  violations             jsonb NOT NULL         -- [{invariant, subject, detail}], at most a hundred
);

-- Months of India that are closed, with the report as it was then: nothing is booked or issued in them any more.
CREATE TABLE ledger.closed_month (
  month                  date PRIMARY KEY CHECK (extract(day FROM month) = 1),  -- its first day
  closed_at              timestamptz NOT NULL DEFAULT now(),
  closed_by              text NOT NULL,
  reason                 text NOT NULL,
  report                 jsonb NOT NULL
);

-- The two entries of each transfer; value leaves the one account with minus and reaches the other with plus.
CREATE VIEW ledger.entry WITH (security_invoker = true) AS
SELECT transfer_id * 2 - 1 AS entry_id, transfer_id, from_id AS ledger_account_id, -amount AS amount,
       CASE WHEN from_id = customer_id THEN balance_after END AS balance_after, created_at FROM ledger.transfer
UNION ALL
SELECT transfer_id * 2, transfer_id, to_id, amount,
       CASE WHEN to_id = customer_id THEN balance_after END, created_at FROM ledger.transfer;

ALTER TABLE access.subscription_term ADD CONSTRAINT subscription_term_lot_id_fkey FOREIGN KEY (lot_id) REFERENCES ledger.lot;
-- The accounts of the house.
INSERT INTO ledger.account (kind, currency) VALUES
  ('issued', 'credits'), ('sales', 'credits'), ('lapsed', 'credits'),
  ('payments', 'paise'), ('taxes', 'paise'), ('fees', 'paise'), ('refunds', 'paise'), ('unearned', 'paise'), ('earned', 'paise'),
  ('held', 'credits'), ('receivables', 'paise'), ('fee_taxes', 'paise'), ('losses', 'paise'), ('breakage', 'paise');

INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT given.kind, given.currency, source.ledger_account_id, target.ledger_account_id
FROM (VALUES
  ('revoke', 'credits', NULL, 'issued'),
  ('spend', 'credits', NULL, 'sales'),
  ('expire', 'credits', NULL, 'lapsed'),
  ('tax', 'paise', 'taxes', 'payments'),
  ('payment', 'paise', 'unearned', 'payments'),
  ('repay_tax', 'paise', 'payments', 'taxes'),
  ('fee', 'paise', 'payments', 'fees'),
  ('repay', 'paise', 'payments', 'refunds'),
  ('unsell', 'paise', 'refunds', 'unearned'),
  ('earn', 'paise', 'earned', 'unearned'),
  ('reversal', NULL, NULL, NULL),
  ('refund', 'credits', 'sales', NULL),
  ('grant', 'credits', 'issued', NULL),
  ('release', 'credits', 'held', NULL),
  ('settle', 'credits', 'held', 'sales'),
  ('hold', 'credits', NULL, 'held'),
  ('subscribe', 'credits', NULL, 'sales'),
  ('overpay', 'paise', 'payments', 'receivables'),
  ('owe', 'paise', 'refunds', 'receivables'),
  ('unearn', 'paise', 'refunds', 'earned'),
  ('unsubscribe', 'credits', 'sales', NULL),
  ('fee_tax', 'paise', 'payments', 'fee_taxes'),
  ('collect', 'paise', 'receivables', 'payments'),
  ('write_off', 'paise', 'receivables', 'losses'),
  ('lapse', 'paise', 'breakage', 'unearned'),
  ('unlapse', 'paise', 'refunds', 'breakage')
) AS given (kind, currency, source, target)
LEFT JOIN ledger.account AS source ON source.owner_id IS NULL AND source.kind = given.source
LEFT JOIN ledger.account AS target ON target.owner_id IS NULL AND target.kind = given.target;

-- Functions of triggers stand in migrations/functions, which are applied after the tables. Until then they refuse every write.
CREATE FUNCTION ledger.guard_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.guard_lot() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.move_balances() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION ledger.seal_transfer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

CREATE TRIGGER transfer_sealed BEFORE INSERT ON ledger.transfer FOR EACH ROW EXECUTE FUNCTION ledger.seal_transfer();
CREATE TRIGGER transfer_moves AFTER INSERT ON ledger.transfer FOR EACH ROW EXECUTE FUNCTION ledger.move_balances();
CREATE TRIGGER closed_month_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.closed_month
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
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
