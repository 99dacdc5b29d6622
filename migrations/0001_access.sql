-- Accounts, keys, sessions, entitlements, limits and the audit log. Secrets are stored hashed, signing keys sealed.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE SCHEMA access;

CREATE TABLE access.account (
  account_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- user_id of the API
  email                  text NOT NULL,
  username               text NOT NULL,
  plan                   text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'premium')),
  is_enterprise          boolean NOT NULL DEFAULT false,
  created_at             timestamptz NOT NULL DEFAULT now(),
  suspended_at           timestamptz,
  suspended_reason       text,
  erased_at              timestamptz,
  -- Orders and quotes leave out contacts whose owner asked not to be contacted.
  excludes_preferences   boolean NOT NULL DEFAULT false,
  premium_until          timestamptz,           -- the latest until_at of a subscription with these limits
  billing                jsonb                  -- legalName, address, placeOfSupply and gstin for invoices to come; emptied by erasure
);
CREATE UNIQUE INDEX account_email ON access.account (lower(email)) WHERE erased_at IS NULL;

CREATE TABLE access.api_key (
  api_key_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  key_sha256             bytea NOT NULL UNIQUE,
  display_prefix         text NOT NULL,         -- panji_Ab3d: enough to recognise, useless to guess
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz,
  revoked_at             timestamptz,
  name                   text NOT NULL DEFAULT 'default',
  scopes                 text[] NOT NULL DEFAULT '{read,write,order,deliver}' CHECK (cardinality(scopes) > 0
    AND scopes <@ '{read,write,order,deliver,keys}'),
  expires_at             timestamptz,           -- null: until it is revoked
  parent_key_id          uuid REFERENCES access.api_key  -- null: an operator made it
);
CREATE INDEX api_key_account ON access.api_key (account_id);
-- Keys are named by their prefix within the account.
CREATE UNIQUE INDEX api_key_prefix ON access.api_key (account_id, display_prefix);
CREATE INDEX api_key_parent ON access.api_key (parent_key_id) WHERE parent_key_id IS NOT NULL;

CREATE TABLE access.session (
  session_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  api_key_id             uuid REFERENCES access.api_key,
  refresh_sha256         bytea NOT NULL UNIQUE,
  created_at             timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz NOT NULL,
  revoked_at             timestamptz,
  scopes                 text[] NOT NULL DEFAULT '{read,write,order,deliver}',
  opened_from            text,                  -- address of the login
  last_used_at           timestamptz,           -- to the minute
  viewer_id              text,                  -- of the operator, as in the audit log
  viewer_name            text
);
CREATE INDEX session_account ON access.session (account_id);
CREATE INDEX session_api_key ON access.session (api_key_id);
CREATE INDEX session_viewer ON access.session (viewer_id) WHERE viewer_id IS NOT NULL;

CREATE TABLE access.signing_key (
  kid                    text PRIMARY KEY,
  public_jwk             jsonb NOT NULL,
  private_encrypted      bytea NOT NULL,        -- AES-256-GCM under PANJI_SECRET_KEY, kid as additional data
  created_at             timestamptz NOT NULL DEFAULT now(),
  retired_at             timestamptz            -- signs no more; verifies until its last token has expired
);

CREATE TABLE access.offer (
  offer_id               text PRIMARY KEY,
  name                   text NOT NULL,
  description            text NOT NULL,
  price                  numeric(12, 2) NOT NULL,
  duration_days          integer NOT NULL,
  features               text[] NOT NULL,
  retired_at             timestamptz
);

CREATE TABLE access.activated_offer (
  activation_id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  offer_id               text NOT NULL REFERENCES access.offer,
  activated_at           timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz NOT NULL
);
CREATE INDEX activated_offer_account ON access.activated_offer (account_id);

-- Units used per account, limit and UTC day of the database's clock.
CREATE TABLE access.daily_usage (
  account_id             uuid NOT NULL REFERENCES access.account,
  kind                   text NOT NULL CHECK (kind IN ('search', 'details', 'screener', 'feed_records', 'unknown_items',
    'orders', 'ordered_items', 'kept_answers', 'written_bytes', 'quoted_items')),
  day                    date NOT NULL,
  used                   integer NOT NULL CHECK (used >= 0),
  taken                  integer NOT NULL DEFAULT 0,  -- units that the last taking got: those up to `used`
  PRIMARY KEY (account_id, kind, day)
) WITH (fillfactor = 50);                        -- rewritten by every call: room for in-page updates

-- Unlogged: a lost minute costs nothing, a write-ahead record per call would.
CREATE UNLOGGED TABLE access.minute_usage (
  account_id             uuid NOT NULL REFERENCES access.account,
  minute                 timestamptz NOT NULL,
  used                   integer NOT NULL,
  taken                  integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, minute)
) WITH (fillfactor = 50);                        -- rewritten by every call: room for in-page updates

CREATE TABLE access.login_failure (
  failure_id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address                text NOT NULL,
  key_prefix             text NOT NULL,
  failed_at              timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX login_failure_address ON access.login_failure (address, failed_at);
CREATE INDEX login_failure_prefix ON access.login_failure (key_prefix, failed_at);

CREATE TABLE access.blocked_address (
  address                text PRIMARY KEY,
  reason                 text NOT NULL,
  blocked_at             timestamptz NOT NULL DEFAULT now(),
  blocked_by             text NOT NULL,         -- system or operator
  refused                inet                   -- blocked by hand: calls with good keys and tokens are refused from there, too
);
CREATE INDEX blocked_address_refused ON access.blocked_address USING gist (refused inet_ops);

CREATE TABLE access.audit (
  audit_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at                     timestamptz NOT NULL DEFAULT now(),
  actor                  text NOT NULL,         -- operator, system or account:<id>
  action                 text NOT NULL,
  subject                text NOT NULL,
  detail                 jsonb NOT NULL DEFAULT '{}',  -- never personal data or secrets
  kind                   text NOT NULL DEFAULT 'act' CHECK (kind IN ('act', 'reading', 'refusal')),
  account_id             uuid,                  -- whose doing, or on whom an operator acted; stays when the account is erased
  credential             text,                  -- id of the API key or operator, `environment`, or the user of the machine
  operation              text,                  -- operationId of the API, or `panji approve`
  address                text,
  reason                 text,                  -- what for: order <id>, screener <id>
  data_class             text,                  -- of a reading: details, leads, ...
  identifiers            text[],                -- records that were shown, each once
  records                integer                -- how many were shown
);
CREATE INDEX audit_account ON access.audit (account_id, audit_id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_actor ON access.audit (actor, audit_id);
CREATE INDEX audit_subject ON access.audit (subject, audit_id);
CREATE INDEX audit_at ON access.audit (at);
CREATE INDEX audit_identifiers ON access.audit USING gin (identifiers) WHERE identifiers IS NOT NULL;

-- One row per Idempotency-Key of an account; claimed by the insert, kept for 24 hours.
CREATE TABLE access.idempotency (
  account_id             uuid NOT NULL REFERENCES access.account,
  key                    text NOT NULL,
  request_sha256         bytea NOT NULL,        -- method, path and body
  claim_id               uuid NOT NULL,         -- of the request that may answer; a request that lost its claim writes nothing
  status                 integer,               -- null while the first request runs
  created_at             timestamptz NOT NULL DEFAULT now(),
  sealed                 bytea,                 -- the answer, byte for byte: AES-256-GCM under PANJI_SECRET_KEY, account and key as additional data
  -- Renewed while its request runs, so that a dead one's claim is soon free.
  held_until             timestamptz NOT NULL DEFAULT now() + interval '5 minutes',
  PRIMARY KEY (account_id, key)
);

CREATE TABLE access.screener (
  screener_id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  name                   text NOT NULL,
  type                   text NOT NULL CHECK (type IN ('company', 'gst')),
  query                  text NOT NULL,
  description            text,
  created_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX screener_account ON access.screener (account_id, created_at DESC);

CREATE TABLE access.watchlist (
  watchlist_id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  name                   text NOT NULL,
  type                   text NOT NULL CHECK (type IN ('company', 'director', 'gst')),
  created_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX watchlist_account ON access.watchlist (account_id, created_at DESC);

CREATE TABLE access.watchlist_entity (
  watchlist_id           uuid NOT NULL REFERENCES access.watchlist ON DELETE CASCADE,
  identifier             text NOT NULL,
  name                   text NOT NULL,
  added_at               timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (watchlist_id, identifier)
);

CREATE TABLE access.operator (
  operator_id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name                   text NOT NULL,
  role                   text NOT NULL CHECK (role IN ('accountant', 'viewer', 'operator', 'owner')),
  token_sha256           bytea NOT NULL UNIQUE,
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz,
  revoked_at             timestamptz
);
CREATE UNIQUE INDEX operator_name ON access.operator (name) WHERE revoked_at IS NULL;

-- The chain: one row per row of the audit log, added once by access.seal_audit, in the order of seq without a gap.
CREATE TABLE access.audit_seal (
  seq                    bigint PRIMARY KEY,
  audit_id               bigint NOT NULL UNIQUE,
  previous               bytea NOT NULL,        -- hash of the seal before
  hash                   bytea NOT NULL,        -- sha256 of previous and of the row
  sealed_at              timestamptz NOT NULL DEFAULT now()
);

-- Where the chain begins after rows have had their time: the last seal that went with them.
CREATE TABLE access.audit_checkpoint (
  seq                    bigint PRIMARY KEY,
  hash                   bytea NOT NULL,
  rows                   bigint NOT NULL,       -- that went
  through                timestamptz NOT NULL,  -- time of the newest of them
  pruned_at              timestamptz NOT NULL DEFAULT now()
);

-- People who object: what may not leave, by keyed hash, so that the list is no list of persons. Every reader withholds at once;
-- what is stored is erased by a job.
CREATE TABLE access.suppression (
  suppression_id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind                   text NOT NULL CHECK (kind IN ('email', 'mobile', 'din', 'pan')),
  hash                   bytea NOT NULL UNIQUE,  -- HMAC-SHA256 of kind and canonical value, see access.suppression_hash
  key_id                 text NOT NULL,         -- of the key that it was hashed under
  reason                 text,
  reference              text,                  -- the operator's own: a ticket, a letter
  created_by             text NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  erased_through         bigint                 -- the last run of whose rows the person is erased; null: of none, and of no lead
);
CREATE INDEX suppression_key ON access.suppression (key_id);
CREATE INDEX suppression_newest ON access.suppression (created_at DESC, suppression_id);

-- Operators who signed in with a browser, and the codes of printed links, each of which lets one in once.
CREATE TABLE access.console_session (
  session_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  secret_sha256          bytea NOT NULL UNIQUE,
  operator_id            uuid REFERENCES access.operator,  -- null for an operator of the environment
  environment_name       text,
  environment_mark       bytea,                 -- of the token that the environment gave then: with another the session is over
  opened_from            text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz NOT NULL DEFAULT now(),  -- to the minute
  expires_at             timestamptz NOT NULL,
  ended_at               timestamptz,
  CHECK (num_nonnulls(operator_id, environment_mark) = 1),
  CHECK ((environment_name IS NULL) = (environment_mark IS NULL))
);
CREATE INDEX console_session_operator ON access.console_session (operator_id);

CREATE TABLE access.console_code (
  code_sha256            bytea PRIMARY KEY,
  expires_at             timestamptz NOT NULL,
  used_at                timestamptz
);

-- One stretch of one product without a gap. A renewal adds a term to it; bought again after its end, a new one begins.
CREATE TABLE access.subscription (
  subscription_id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  product                text NOT NULL,         -- id of a plan or offer of config/plans.ts, as it was sold
  kind                   text NOT NULL CHECK (kind IN ('plan', 'offer')),
  name                   text NOT NULL,
  interval               text NOT NULL,         -- month, year, once
  limits                 text CHECK (limits = 'premium'),  -- whose limits it brings; null: the account's own
  grace_days             integer NOT NULL CHECK (grace_days >= 0),
  auto_renew             boolean NOT NULL DEFAULT false,  -- with credits, before its end
  started_at             timestamptz NOT NULL DEFAULT now(),
  ends_at                timestamptz NOT NULL,  -- of its last term
  until_at               timestamptz NOT NULL,  -- with the days of grace, while it is not cancelled: what it opens ends here
  cancelled_at           timestamptz,           -- it ends with its last term
  ended_at               timestamptz,           -- when the job saw that it was over; reads ask until_at
  CHECK (started_at <= ends_at AND ends_at <= until_at)
);
CREATE INDEX subscription_account ON access.subscription (account_id, until_at DESC);
CREATE INDEX subscription_open ON access.subscription (until_at) WHERE ended_at IS NULL;

CREATE TABLE access.entitlement (
  entitlement_id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  dataset                text NOT NULL CHECK (dataset IN ('gst', 'company', 'director')),
  granted_by             text NOT NULL CHECK (granted_by IN ('subscription', 'offer', 'enterprise')),
  plan_name              text NOT NULL,
  interval               text NOT NULL,         -- month, year, once
  states                 text[],                -- null: nationwide
  districts              text[],
  pincodes               text[],
  window_from            date,                  -- null: no lower bound
  window_to              date,
  anchored               boolean NOT NULL DEFAULT false,  -- window_from is the subscription's start
  starts_at              timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz,
  -- Nobody paid for it: a window from 30 days before its start to its end, and no larger budget.
  trial                  boolean NOT NULL DEFAULT false,
  revoked_at             timestamptz,           -- by an operator; the row stays, so that what was sold stays known
  subscription_id        uuid REFERENCES access.subscription
);
CREATE INDEX entitlement_account ON access.entitlement (account_id, dataset);
CREATE INDEX entitlement_dataset ON access.entitlement (dataset);
CREATE UNIQUE INDEX entitlement_subscription ON access.entitlement (subscription_id, dataset)
  WHERE subscription_id IS NOT NULL AND revoked_at IS NULL;

CREATE TABLE access.subscription_term (
  term_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subscription_id        uuid NOT NULL REFERENCES access.subscription,
  number                 integer NOT NULL CHECK (number > 0),
  -- of the movement that paid: payment:<processor>:<id>, term:<id>; given:<reference>
  reference              text NOT NULL UNIQUE,
  paid_with              text NOT NULL CHECK (paid_with IN ('online', 'credits', 'operator')),
  price                  bigint NOT NULL CHECK (price >= 0),  -- paise with tax, or credits
  days                   integer NOT NULL CHECK (days > 0),  -- that it brought
  credits                bigint NOT NULL CHECK (credits >= 0),  -- that it brought
  lot_id                 bigint,                -- of its credits and its money
  starts_at              timestamptz NOT NULL,
  ends_at                timestamptz NOT NULL,  -- earlier than its days where money went back
  bought_at              timestamptz NOT NULL DEFAULT now(),
  taken_back_at          timestamptz,           -- what paid for it went back, in part or as a whole
  UNIQUE (subscription_id, number),
  CHECK (starts_at <= ends_at)
);

-- What each verification of the audit log found, for doctor, metrics and alerts: the head of that moment is evidence elsewhere.
CREATE TABLE access.audit_proof (
  proof_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  proved_at              timestamptz NOT NULL DEFAULT now(),
  rows                   bigint NOT NULL,       -- in the chain then
  head_seq               bigint NOT NULL,
  head_hash              text NOT NULL,         -- hexadecimal; empty for an empty audit log
  fault                  text                   -- what the first break was; null where the chain was whole
);

-- The second factor of operators: a secret that their authenticator holds, too. It counts once a code of it was shown to be right.
CREATE TABLE access.operator_totp (
  operator_id            uuid PRIMARY KEY REFERENCES access.operator,
  secret_encrypted       bytea NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  confirmed_at           timestamptz,
  last_step              bigint NOT NULL DEFAULT 0  -- a code opens once: none of this or an earlier time is taken any more
);

-- Links by which accounts sign in with a browser: the code of one, hashed, and how often one was asked for.
CREATE TABLE access.sign_in_code (
  code_sha256            bytea PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES access.account,
  expires_at             timestamptz NOT NULL,
  used_at                timestamptz
);
CREATE INDEX sign_in_code_account ON access.sign_in_code (account_id);

-- Whether or not there is such an account: who asks learns nothing from how soon they may ask again.
CREATE TABLE access.sign_in_request (
  address                text NOT NULL,
  email_sha256           bytea NOT NULL,
  asked_at               timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_request_address ON access.sign_in_request (address, asked_at);
CREATE INDEX sign_in_request_email ON access.sign_in_request (email_sha256, asked_at);

-- Functions of triggers stand in migrations/functions, which are applied after the tables. Until then they refuse every write.
CREATE FUNCTION access.guard_actor() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION access.guard_subscription() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION access.guard_term() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION access.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
CREATE TRIGGER audit_checkpoint_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit_checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
CREATE TRIGGER term_guarded BEFORE UPDATE ON access.subscription_term FOR EACH ROW EXECUTE FUNCTION access.guard_term();
CREATE TRIGGER subscription_guarded BEFORE INSERT OR UPDATE ON access.subscription
  FOR EACH ROW EXECUTE FUNCTION access.guard_subscription();
CREATE TRIGGER audit_actor BEFORE INSERT ON access.audit FOR EACH ROW EXECUTE FUNCTION access.guard_actor();
