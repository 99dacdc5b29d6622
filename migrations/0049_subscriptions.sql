-- Plans and offers that are bought: what an account has for how long, term by term, and what paid for each.

-- One stretch of one product without a gap. A renewal adds a term to it; bought again after its end, a new one begins.
CREATE TABLE access.subscription (
  subscription_id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  product                text NOT NULL,         -- id of a plan or offer of config/plans.ts, as it was sold
  kind                   text NOT NULL CHECK (kind IN ('plan', 'offer')),
  name                   text NOT NULL,
  interval               text NOT NULL,         -- month, year, once
  limits                 text CHECK (limits = 'premium'),        -- whose limits it brings; null: the account's own
  grace_days             integer NOT NULL CHECK (grace_days >= 0),
  auto_renew             boolean NOT NULL DEFAULT false,         -- with credits, before its end
  started_at             timestamptz NOT NULL DEFAULT now(),
  ends_at                timestamptz NOT NULL,  -- of its last term
  until_at               timestamptz NOT NULL,  -- with the days of grace, while it is not cancelled: what it opens ends here
  cancelled_at           timestamptz,           -- it ends with its last term
  ended_at               timestamptz,           -- when the job saw that it was over; reads ask until_at
  CHECK (started_at <= ends_at AND ends_at <= until_at)
);
CREATE INDEX subscription_account ON access.subscription (account_id, until_at DESC);
CREATE INDEX subscription_open ON access.subscription (until_at) WHERE ended_at IS NULL;

CREATE TABLE access.subscription_term (
  term_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subscription_id        uuid NOT NULL REFERENCES access.subscription,
  number                 integer NOT NULL CHECK (number > 0),
  reference              text NOT NULL UNIQUE,  -- of the movement that paid: payment:<processor>:<id>, term:<id>; given:<reference>
  paid_with              text NOT NULL CHECK (paid_with IN ('online', 'credits', 'operator')),
  price                  bigint NOT NULL CHECK (price >= 0),     -- paise with tax, or credits
  days                   integer NOT NULL CHECK (days > 0),      -- that it brought
  credits                bigint NOT NULL CHECK (credits >= 0),   -- that it brought
  lot_id                 bigint REFERENCES ledger.lot,           -- of its credits and its money
  starts_at              timestamptz NOT NULL,
  ends_at                timestamptz NOT NULL,  -- earlier than its days where money went back
  bought_at              timestamptz NOT NULL DEFAULT now(),
  taken_back_at          timestamptz,           -- what paid for it went back, in part or as a whole
  UNIQUE (subscription_id, number),
  CHECK (starts_at <= ends_at)
);

ALTER TABLE access.account ADD COLUMN premium_until timestamptz;  -- the latest until_at of a subscription with these limits
ALTER TABLE access.entitlement ADD COLUMN subscription_id uuid REFERENCES access.subscription;
CREATE UNIQUE INDEX entitlement_subscription ON access.entitlement (subscription_id, dataset)
  WHERE subscription_id IS NOT NULL AND revoked_at IS NULL;

-- A purchase is of credits, or of a plan or offer on the terms that were asked for.
ALTER TABLE orders.checkout ADD COLUMN terms jsonb,
  DROP CONSTRAINT checkout_credits_check,
  ADD CONSTRAINT checkout_credits_check CHECK (credits >= 0 AND (credits > 0 OR terms IS NOT NULL));

-- Money for time is earned as the time passes, not as credits are spent.
ALTER TABLE ledger.lot ADD COLUMN earns_from timestamptz;
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT 'subscribe', 'credits', NULL, ledger_account_id FROM ledger.account WHERE kind = 'sales' AND owner_id IS NULL;

CREATE FUNCTION access.guard_term() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION access.guard_subscription() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE TRIGGER term_guarded BEFORE UPDATE ON access.subscription_term FOR EACH ROW EXECUTE FUNCTION access.guard_term();
CREATE TRIGGER subscription_guarded BEFORE INSERT OR UPDATE ON access.subscription
  FOR EACH ROW EXECUTE FUNCTION access.guard_subscription();
