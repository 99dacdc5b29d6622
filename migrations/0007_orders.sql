-- Orders, the leads that they deliver, payments, refunds and invoices.

CREATE SCHEMA orders;

CREATE TABLE orders.purchase (
  order_id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- _id of the API
  account_id             uuid NOT NULL REFERENCES access.account,
  order_name             text NOT NULL,
  payment_option         text NOT NULL,         -- credits or online
  status                 text NOT NULL CHECK (status IN ('pending', 'completed', 'cancelled', 'failed', 'expired')),
  payment_status         text NOT NULL CHECK (payment_status IN ('pending', 'paid', 'failed', 'cancelled', 'refunded')),
  total_amount           bigint NOT NULL,       -- credits, before refunds
  items_count            integer NOT NULL,
  payment                jsonb,                 -- the processor's order for online payment
  created_at             timestamptz NOT NULL DEFAULT now(),
  paid_at                timestamptz,
  cancelled_at           timestamptz
);
CREATE INDEX purchase_account ON orders.purchase (account_id, created_at DESC);
-- Erasure empties `payment`, so an erased account's order is found no more.
CREATE UNIQUE INDEX purchase_payment ON orders.purchase ((payment ->> 'provider'), (payment ->> 'id'))
  WHERE payment IS NOT NULL;
CREATE INDEX purchase_pending ON orders.purchase (created_at) WHERE status = 'pending';
CREATE INDEX purchase_waiting ON orders.purchase (created_at) WHERE status = 'pending' AND payment IS NOT NULL;
-- What /metrics counts of tables that grow without end: the orders of the last day, and the pushes that failed in it. Orders
-- lie in the order of their making, so that a few pages of a BRIN index find a day; failures are few.
CREATE INDEX purchase_made ON orders.purchase USING brin (created_at) WITH (pages_per_range = 16, autosummarize = on);

CREATE TABLE orders.item (
  item_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  position               integer NOT NULL,      -- index in the request, from 0
  type                   text NOT NULL CHECK (type IN ('company', 'director', 'gst')),
  identifier             text NOT NULL,
  name                   text NOT NULL,
  has_contact            boolean,               -- known once paid
  refunded_at            timestamptz,           -- the credit went back: no contact data
  charge_id              bigint,                -- transfer that paid for it; null: it was not charged
  refund_reason          text CHECK (refund_reason IN ('no_contact', 'dispute', 'operator', 'refused', 'owned',
    'money_back')),
  already_owned          boolean NOT NULL DEFAULT false,  -- bought before, so it comes without a charge
  settled_id             bigint,                -- transfer that spent its held credit, once a CRM acknowledged it
  withdrawn_at           timestamptz,           -- what paid for it went back, and its data with it
  UNIQUE (order_id, position),
  UNIQUE (order_id, type, identifier),
  CONSTRAINT item_charge_of_its_order FOREIGN KEY (charge_id, order_id) REFERENCES ledger.transfer(transfer_id, order_id),
  CONSTRAINT item_settled_by_its_order FOREIGN KEY (settled_id, order_id) REFERENCES ledger.transfer(transfer_id, order_id),
  CONSTRAINT item_owned_is_free CHECK (NOT (already_owned AND charge_id IS NOT NULL)),
  CONSTRAINT item_refunded_was_charged CHECK (refunded_at IS NULL OR charge_id IS NOT NULL),
  CONSTRAINT item_settled_was_charged CHECK (settled_id IS NULL OR charge_id IS NOT NULL)
);
CREATE INDEX item_charge ON orders.item (charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX item_identifier ON orders.item (identifier, type);
CREATE INDEX item_settled ON orders.item (settled_id) WHERE settled_id IS NOT NULL;

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

-- What a buyer reported of an item: once per charge, decided once, by an operator.
CREATE TABLE orders.dispute (
  dispute_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  item_id                uuid NOT NULL REFERENCES orders.item,
  charge_id              bigint NOT NULL REFERENCES ledger.transfer,
  reason                 text NOT NULL,         -- erased with the account
  status                 text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'accepted', 'rejected')),
  opened_at              timestamptz NOT NULL DEFAULT now(),
  decided_at             timestamptz,
  decided_by             text,
  note                   text,
  reported_by            text NOT NULL DEFAULT 'buyer' CHECK (reported_by IN ('buyer', 'system')),
  UNIQUE (item_id, charge_id),
  CHECK ((status = 'open') = (decided_at IS NULL) AND (status = 'open') = (decided_by IS NULL))
);
CREATE INDEX dispute_open ON orders.dispute (opened_at) WHERE status = 'open';

CREATE TABLE orders.payment_event (
  event_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider               text NOT NULL,
  source                 text NOT NULL CHECK (source IN ('checkout', 'webhook', 'reconcile', 'operator')),
  name                   text NOT NULL,         -- the processor's own word: order.paid, refund.processed
  outcome                text NOT NULL CHECK (outcome IN ('asked', 'paid', 'known', 'credited', 'repaid', 'charged_back',
    'disputed', 'dispute_ended', 'ignored', 'mismatch', 'parked', 'unknown_order', 'erased_account', 'forged', 'expired')),
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
CREATE INDEX payment_event_open ON orders.payment_event (event_id) WHERE closed_at IS NULL AND outcome IN (
  'charged_back', 'disputed', 'mismatch', 'parked', 'unknown_order', 'erased_account', 'credited');

CREATE TABLE orders.checkout (
  checkout_id            uuid PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES access.account,
  product                text NOT NULL,         -- of config/plans.ts, as it was sold
  credits                bigint NOT NULL,
  valid_days             integer CHECK (valid_days > 0),
  amount                 bigint NOT NULL CHECK (amount > 0),  -- paise, tax included
  status                 text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'refunded', 'expired')),
  payment                jsonb,                 -- the processor's order; emptied by erasure
  created_at             timestamptz NOT NULL DEFAULT now(),
  paid_at                timestamptz,
  terms                  jsonb,                 -- of the plan or offer; null: credits
  CONSTRAINT checkout_credits_check CHECK (credits >= 0 AND (credits > 0 OR terms IS NOT NULL))
);
CREATE UNIQUE INDEX checkout_payment ON orders.checkout ((payment ->> 'provider'), (payment ->> 'id')) WHERE payment IS NOT NULL;
CREATE INDEX checkout_account ON orders.checkout (account_id, created_at DESC);
CREATE INDEX checkout_waiting ON orders.checkout (created_at) WHERE status = 'pending';

CREATE TABLE orders.payment (
  provider               text NOT NULL,
  payment_id             text NOT NULL,         -- of the processor
  order_id               uuid REFERENCES orders.purchase,
  amount                 bigint NOT NULL,       -- in the currency's smallest unit: paise
  currency               text NOT NULL,
  received_at            timestamptz NOT NULL DEFAULT now(),
  checkout_id            uuid REFERENCES orders.checkout,
  PRIMARY KEY (provider, payment_id),
  CONSTRAINT payment_of_one CHECK (num_nonnulls(order_id, checkout_id) = 1)
);
CREATE INDEX payment_order ON orders.payment (order_id);
CREATE INDEX payment_checkout ON orders.payment (checkout_id) WHERE checkout_id IS NOT NULL;

CREATE TABLE orders.repayment (
  provider               text NOT NULL,
  refund_id              text NOT NULL,         -- of the processor: a refund or a dispute
  payment_id             text NOT NULL,
  order_id               uuid REFERENCES orders.purchase,
  cause                  text NOT NULL CHECK (cause IN ('refund', 'chargeback')),
  amount                 bigint NOT NULL CHECK (amount > 0),
  currency               text NOT NULL,
  received_at            timestamptz NOT NULL DEFAULT now(),
  checkout_id            uuid REFERENCES orders.checkout,
  PRIMARY KEY (provider, refund_id),
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment
);
CREATE INDEX repayment_payment ON orders.repayment (provider, payment_id);
CREATE INDEX repayment_order ON orders.repayment (order_id);
CREATE INDEX repayment_checkout ON orders.repayment (checkout_id) WHERE checkout_id IS NOT NULL;

-- The last number of each series and financial year. Whoever takes the next holds the row to the end of the transaction
-- that writes the document, so a rollback gives the number back and no gap comes.
CREATE TABLE orders.invoice_counter (
  series                 text NOT NULL CHECK (series IN ('PI', 'PC')),
  financial_year         text NOT NULL CHECK (financial_year ~ '^[0-9]{4}$'),  -- 2627 begins on 1 April 2026
  last                   integer NOT NULL CHECK (last > 0),
  PRIMARY KEY (series, financial_year)
);

CREATE TABLE orders.invoice (
  number                 text PRIMARY KEY,      -- PI-2627-0000001, a credit note PC-2627-0000001
  series                 text NOT NULL,
  financial_year         text NOT NULL,
  serial                 integer NOT NULL,
  account_id             uuid NOT NULL REFERENCES access.account,
  issued_at              timestamptz NOT NULL DEFAULT now(),
  reference              text NOT NULL UNIQUE,  -- of the movement in the ledger: each has one document
  against                text REFERENCES orders.invoice,  -- the invoice that a credit note takes back
  description            text NOT NULL,
  lines                  jsonb NOT NULL,        -- description, quantity and net of each
  sac                    text NOT NULL,
  rate                   smallint NOT NULL CHECK (rate > 0),  -- percent
  place_of_supply        text NOT NULL CHECK (place_of_supply ~ '^[0-9]{2}$'),
  gstin                  text,                  -- of the buyer
  seller                 jsonb NOT NULL,        -- name, gstin, address and state, as they were
  buyer                  jsonb NOT NULL,        -- name and address, as they were
  net                    bigint NOT NULL CHECK (net >= 0),  -- all in paise
  cgst                   bigint NOT NULL CHECK (cgst >= 0),
  sgst                   bigint NOT NULL CHECK (sgst >= 0),
  igst                   bigint NOT NULL CHECK (igst >= 0),
  total                  bigint NOT NULL,
  pdf                    bytea NOT NULL CHECK (length(pdf) > 0),  -- the document as it was issued
  UNIQUE (series, financial_year, serial),
  FOREIGN KEY (series, financial_year) REFERENCES orders.invoice_counter,
  CHECK (total = net + cgst + sgst + igst),
  CHECK (number = series || '-' || financial_year || '-' || lpad(serial::text, 7, '0')),
  CHECK ((series = 'PC') = (against IS NOT NULL))
);
CREATE INDEX invoice_account ON orders.invoice (account_id, issued_at DESC);
CREATE INDEX invoice_issued ON orders.invoice (issued_at, number);
CREATE INDEX invoice_against ON orders.invoice (against) WHERE against IS NOT NULL;

CREATE TABLE orders.refund (
  request_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- the processor's idempotency key, and its receipt
  provider               text NOT NULL,
  payment_id             text NOT NULL,
  reference              text NOT NULL UNIQUE,  -- of the operator: under one there is one refund
  amount                 bigint NOT NULL CHECK (amount > 0),  -- paise, tax included
  reason                 text NOT NULL,
  actor                  text NOT NULL CHECK (actor <> ''),
  status                 text NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'made', 'refused')),
  refund_id              text,                  -- of the processor
  detail                 text,                  -- why it was refused
  asked_at               timestamptz NOT NULL DEFAULT now(),
  answered_at            timestamptz,
  items                  uuid[],                -- that it was asked for; null: none was named
  taken                  uuid[],                -- that it took back; null: not made yet, or everything that was paid for
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment,
  CHECK ((status = 'asked') = (answered_at IS NULL)),
  CHECK ((status = 'made') = (refund_id IS NOT NULL))
);
CREATE INDEX refund_payment ON orders.refund (provider, payment_id);
CREATE INDEX refund_waiting ON orders.refund (asked_at) WHERE status = 'asked';

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
  holds_account          boolean NOT NULL DEFAULT false,  -- it suspended the account, and lets it go when it is won
  opened_at              timestamptz NOT NULL DEFAULT now(),
  decided_at             timestamptz,
  PRIMARY KEY (provider, dispute_id),
  FOREIGN KEY (provider, payment_id) REFERENCES orders.payment,
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX payment_dispute_payment ON orders.payment_dispute (provider, payment_id);

ALTER TABLE ledger.transfer ADD CONSTRAINT transfer_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.purchase;
ALTER TABLE ledger.transfer ADD CONSTRAINT transfer_item_id_fkey FOREIGN KEY (item_id) REFERENCES orders.item;

-- Functions of triggers stand in migrations/functions, which are applied after the tables. Until then they refuse every write.
CREATE FUNCTION orders.guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_invoice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_counter() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_dispute() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_item() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_purchase() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

-- Orders and items move along one table of transitions, also where a statement is wrong.
CREATE TRIGGER purchase_guarded BEFORE UPDATE ON orders.purchase
  FOR EACH ROW EXECUTE FUNCTION orders.guard_purchase();
CREATE TRIGGER item_guarded BEFORE UPDATE ON orders.item FOR EACH ROW EXECUTE FUNCTION orders.guard_item();
CREATE TRIGGER dispute_guarded BEFORE UPDATE ON orders.dispute FOR EACH ROW EXECUTE FUNCTION orders.guard_dispute();
CREATE TRIGGER checkout_guarded BEFORE UPDATE ON orders.checkout FOR EACH ROW EXECUTE FUNCTION orders.guard_checkout();
CREATE TRIGGER refund_guarded BEFORE UPDATE ON orders.refund FOR EACH ROW EXECUTE FUNCTION orders.guard_refund();
CREATE TRIGGER counter_guarded BEFORE INSERT OR UPDATE ON orders.invoice_counter
  FOR EACH ROW EXECUTE FUNCTION orders.guard_counter();
CREATE TRIGGER checkout_stays BEFORE DELETE OR TRUNCATE ON orders.checkout
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER refund_stays BEFORE DELETE OR TRUNCATE ON orders.refund
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER counter_stays BEFORE DELETE OR TRUNCATE ON orders.invoice_counter
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER invoice_guarded BEFORE INSERT ON orders.invoice FOR EACH ROW EXECUTE FUNCTION orders.guard_invoice();
CREATE TRIGGER invoice_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.invoice
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER payment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.payment
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER repayment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.repayment
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER payment_event_stays BEFORE DELETE OR TRUNCATE ON orders.payment_event
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER payment_dispute_stays BEFORE DELETE OR TRUNCATE ON orders.payment_dispute
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
