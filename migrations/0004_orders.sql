-- The credit ledger (double entry, append only) and the orders that spend it.

CREATE SCHEMA ledger;

-- One account per owner and kind. System accounts (owner null) may go below zero, customers' never.
CREATE TABLE ledger.account (
  ledger_account_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id               uuid REFERENCES access.account,
  kind                   text NOT NULL CHECK (kind IN ('credits', 'issued', 'sales')),
  CHECK ((kind = 'credits') = (owner_id IS NOT NULL))
);
CREATE UNIQUE INDEX account_owner_kind ON ledger.account (owner_id, kind) NULLS NOT DISTINCT;
INSERT INTO ledger.account (kind) VALUES ('issued'), ('sales');

CREATE TABLE ledger.transfer (
  transfer_id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind                   text NOT NULL CHECK (kind IN ('grant', 'spend', 'refund', 'revoke')),
  reference              text NOT NULL UNIQUE,  -- order:<id>, refund:<item id>, grant:<uuid>: each happens once
  memo                   text,
  created_at             timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ledger.entry (
  entry_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id            bigint NOT NULL REFERENCES ledger.transfer,
  ledger_account_id      bigint NOT NULL REFERENCES ledger.account,
  amount                 bigint NOT NULL CHECK (amount <> 0),   -- credits; plus raises the balance
  created_at             timestamptz NOT NULL DEFAULT now()
);
-- Balances are sums over this index alone: the amounts lie in it.
CREATE INDEX entry_account ON ledger.entry (ledger_account_id) INCLUDE (amount);
CREATE INDEX entry_transfer ON ledger.entry (transfer_id);

-- A ledger is only ever added to: corrections are new transfers.
CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger rows are never updated or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

-- Checked at commit: the entries of a transfer sum to zero and there are at least two.
CREATE FUNCTION ledger.check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
  entries bigint;
BEGIN
  SELECT coalesce(sum(amount), 0), count(*) INTO total, entries FROM ledger.entry WHERE transfer_id = NEW.transfer_id;
  IF total <> 0 OR entries < 2 THEN
    RAISE EXCEPTION 'transfer % does not balance: % entries sum to %', NEW.transfer_id, entries, total
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_balances AFTER INSERT ON ledger.transfer
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger.check_transfer();
CREATE CONSTRAINT TRIGGER entry_balances AFTER INSERT ON ledger.entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger.check_transfer();

-- A second wall behind src/orders/ledger.ts: whoever takes credits from a customer holds that account's row until
-- the end of the transaction, and at commit the balance must not be below zero.
CREATE FUNCTION ledger.hold_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger.account WHERE ledger_account_id = NEW.ledger_account_id AND kind = 'credits' FOR NO KEY UPDATE;
  RETURN NEW;
END $$;
CREATE FUNCTION ledger.check_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  balance bigint;
BEGIN
  IF EXISTS (SELECT FROM ledger.account WHERE ledger_account_id = NEW.ledger_account_id AND kind = 'credits') THEN
    SELECT sum(amount) INTO balance FROM ledger.entry WHERE ledger_account_id = NEW.ledger_account_id;
    IF balance < 0 THEN
      RAISE EXCEPTION 'ledger account % would fall to %', NEW.ledger_account_id, balance USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entry_holds_account BEFORE INSERT ON ledger.entry
  FOR EACH ROW WHEN (NEW.amount < 0) EXECUTE FUNCTION ledger.hold_account();
CREATE CONSTRAINT TRIGGER entry_keeps_balance AFTER INSERT ON ledger.entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.amount < 0) EXECUTE FUNCTION ledger.check_balance();

CREATE SCHEMA orders;

CREATE TABLE orders.purchase (
  order_id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),   -- _id of the API
  account_id             uuid NOT NULL REFERENCES access.account,
  order_name             text NOT NULL,
  payment_option         text NOT NULL,         -- credits or online
  status                 text NOT NULL CHECK (status IN ('pending', 'completed', 'cancelled', 'failed')),
  payment_status         text NOT NULL CHECK (payment_status IN ('pending', 'paid', 'failed', 'cancelled', 'refunded')),
  total_amount           bigint NOT NULL,       -- credits, before refunds
  items_count            integer NOT NULL,
  payment                jsonb,                 -- the processor's order for online payment
  created_at             timestamptz NOT NULL DEFAULT now(),
  paid_at                timestamptz,
  cancelled_at           timestamptz
);
CREATE INDEX purchase_account ON orders.purchase (account_id, created_at DESC);

CREATE TABLE orders.item (
  item_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  position               integer NOT NULL,      -- index in the request, from 0
  type                   text NOT NULL CHECK (type IN ('company', 'director', 'gst')),
  identifier             text NOT NULL,
  name                   text NOT NULL,
  has_contact            boolean,               -- known once paid
  refunded_at            timestamptz,           -- the credit went back: no contact data
  UNIQUE (order_id, position),
  UNIQUE (order_id, type, identifier)
);

-- The lead of a paid item, frozen as it was when the order was built: the buyer's copy does not drift.
CREATE TABLE orders.lead (
  item_id                uuid PRIMARY KEY REFERENCES orders.item,
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  position               integer NOT NULL,
  type                   text NOT NULL,
  identifier             text NOT NULL,
  flat                   jsonb NOT NULL,        -- column -> scalar; the order of columns stands in config/lead-columns.ts
  full_data              jsonb NOT NULL,        -- {company, directors, gst}
  registry_run_id        bigint,                -- run that last changed the record: the lead's provenance
  built_at               timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, position)
);
