-- Standing orders: a query that is asked of every import, what it may spend, and what each of its runs found and bought.

CREATE TABLE orders.standing_order (
  standing_order_id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  name                   text NOT NULL,
  state                  text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'active', 'paused', 'blocked', 'ended')),
  reason                 text,                  -- of the state, where it has one
  state_by               text NOT NULL,         -- the actor, as in the audit log
  state_at               timestamptz NOT NULL DEFAULT now(),
  created_at             timestamptz NOT NULL DEFAULT now(),
  version                integer NOT NULL DEFAULT 1,  -- of its query
  buys                   boolean NOT NULL,      -- false: it only notifies
  budget_day             integer CHECK (budget_day BETWEEN 1 AND 100000),     -- credits per day of India
  budget_month           integer CHECK (budget_month BETWEEN 1 AND 1000000),  -- credits per month of India
  budget_run             integer CHECK (budget_run BETWEEN 1 AND 1000),       -- credits per run
  prefer                 text NOT NULL DEFAULT 'newest',  -- who comes first where the budget is smaller than the matches
  destinations           uuid[] NOT NULL DEFAULT '{}',
  mappings               jsonb NOT NULL DEFAULT '{}',  -- destination id -> fields over the destination's own mapping
  schedule               text NOT NULL DEFAULT 'import'
    CHECK (schedule ~ '^(import|(monday )?([01][0-9]|2[0-3]):[0-5][0-9])$'),  -- after each import, or at a time of India
  ends_on                date,                  -- its last day
  approved_at            timestamptz,           -- when somebody first looked at what a run found
  active_since           timestamptz,           -- what was imported before is not new to it
  digest_on              date,                  -- the day of the last digest
  next_run_on            date,                  -- of a schedule with a time: the first day on which it is due
  CONSTRAINT standing_order_budget CHECK (num_nonnulls(budget_day, budget_month, budget_run) = CASE WHEN buys THEN 3 ELSE 0 END)
);
CREATE INDEX standing_order_account ON orders.standing_order (account_id, created_at DESC);
CREATE INDEX standing_order_live ON orders.standing_order (state) WHERE state IN ('active', 'blocked');

-- What a standing order asks for. A change is a new version; a version stays as it was.
CREATE TABLE orders.standing_query (
  standing_order_id      uuid NOT NULL REFERENCES orders.standing_order ON DELETE CASCADE,
  version                integer NOT NULL,
  source                 text NOT NULL CHECK (source IN ('screener', 'feed', 'watchlist')),
  type                   text NOT NULL CHECK (type IN ('company', 'gst')),
  query                  text,                  -- of the screener language; null: all records of the source
  screener_id            uuid,                  -- the saved screener that it was taken from
  watchlist_id           uuid,
  has_mobile             boolean NOT NULL,
  has_email              boolean NOT NULL,
  active_only            boolean NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  created_by             text NOT NULL,
  PRIMARY KEY (standing_order_id, version)
);

CREATE TABLE orders.standing_run (
  run_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  standing_order_id      uuid NOT NULL REFERENCES orders.standing_order ON DELETE CASCADE,
  version                integer NOT NULL,      -- of the query
  import_run_id          bigint,                -- null: it gathers what several imports brought
  state                  text NOT NULL CHECK (state IN ('needs_approval', 'open', 'finished', 'skipped', 'undone')),
  reason                 text,                  -- why it waits, or what it ended with
  matches                integer NOT NULL,      -- records that began to match
  budget                 jsonb,                 -- {day, month, run} as it was made
  usual                  numeric,               -- matches of a usual day, as it was made
  reserved               integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),  -- credits of the budget, while it buys
  reserved_on            date,
  created_at             timestamptz NOT NULL DEFAULT now(),
  finished_at            timestamptz,
  decided_by             text,
  decided_at             timestamptz,
  tried_at               timestamptz,           -- when somebody last tried to buy what it found
  CONSTRAINT standing_run_reserves CHECK (reserved = 0 OR reserved_on IS NOT NULL AND state = 'open')
);
CREATE UNIQUE INDEX standing_run_of_import ON orders.standing_run (standing_order_id, import_run_id) WHERE import_run_id IS NOT NULL;
CREATE INDEX standing_run_order ON orders.standing_run (standing_order_id, run_id DESC);
CREATE INDEX standing_run_open ON orders.standing_run (standing_order_id) WHERE state = 'open';

-- A record is new to a standing order once, whatever comes after.
CREATE TABLE orders.standing_match (
  standing_order_id      uuid NOT NULL REFERENCES orders.standing_order ON DELETE CASCADE,
  type                   text NOT NULL,
  identifier             text NOT NULL,
  import_run_id          bigint NOT NULL,       -- the import that it came with
  run_id                 bigint REFERENCES orders.standing_run ON DELETE CASCADE,  -- null until its run is made
  state                  text NOT NULL DEFAULT 'found' CHECK (state IN ('found', 'bought', 'owned', 'no_contact', 'over_budget',
    'no_longer_matches', 'skipped', 'notified', 'undone')),
  found_at               timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (standing_order_id, type, identifier)
);
CREATE INDEX standing_match_run ON orders.standing_match (run_id, state);
CREATE INDEX standing_match_gathered ON orders.standing_match (standing_order_id) WHERE run_id IS NULL;
CREATE INDEX standing_match_import ON orders.standing_match (import_run_id);

-- A key that spends within the budget of one standing order and nothing else.
ALTER TABLE access.api_key ADD COLUMN standing_order_id uuid REFERENCES orders.standing_order;

-- The cause of an order that nobody placed by hand.
ALTER TABLE orders.purchase ADD COLUMN standing_run_id bigint REFERENCES orders.standing_run;
CREATE INDEX purchase_standing_run ON orders.purchase (standing_run_id) WHERE standing_run_id IS NOT NULL;
