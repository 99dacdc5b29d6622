-- Accounts, keys, sessions, entitlements and limits. Secrets are stored hashed, signing keys encrypted.

CREATE SCHEMA access;

CREATE TABLE access.account (
  account_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),   -- user_id of the API
  email                  text NOT NULL,
  username               text NOT NULL,
  plan                   text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'premium')),
  is_enterprise          boolean NOT NULL DEFAULT false,
  created_at             timestamptz NOT NULL DEFAULT now(),
  suspended_at           timestamptz,
  suspended_reason       text,
  erased_at              timestamptz
);
CREATE UNIQUE INDEX account_email ON access.account (lower(email)) WHERE erased_at IS NULL;

CREATE TABLE access.api_key (
  api_key_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  key_sha256             bytea NOT NULL UNIQUE,
  display_prefix         text NOT NULL,         -- panji_Ab3d: enough to recognise, useless to guess
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz,
  revoked_at             timestamptz
);
CREATE INDEX api_key_account ON access.api_key (account_id);

CREATE TABLE access.session (
  session_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  api_key_id             uuid NOT NULL REFERENCES access.api_key,
  refresh_sha256         bytea NOT NULL UNIQUE,
  created_at             timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz NOT NULL,
  revoked_at             timestamptz
);
CREATE INDEX session_account ON access.session (account_id);

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
  anchored               boolean NOT NULL DEFAULT false,   -- window_from is the subscription's start
  starts_at              timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz
);
CREATE INDEX entitlement_account ON access.entitlement (account_id, dataset);
CREATE INDEX entitlement_dataset ON access.entitlement (dataset);

-- Units used per account, limit and UTC day of the database's clock.
CREATE TABLE access.daily_usage (
  account_id             uuid NOT NULL REFERENCES access.account,
  kind                   text NOT NULL CHECK (kind IN ('search', 'details', 'screener')),
  day                    date NOT NULL,
  used                   integer NOT NULL CHECK (used >= 0),
  taken                  integer NOT NULL DEFAULT 0,   -- units that the last taking got: those up to `used`
  PRIMARY KEY (account_id, kind, day)
) WITH (fillfactor = 50);                        -- rewritten by every call: room for in-page updates
-- Unlogged: a lost minute costs nothing, a write-ahead record per call would.
CREATE UNLOGGED TABLE access.minute_usage (
  account_id             uuid NOT NULL REFERENCES access.account,
  minute                 timestamptz NOT NULL,
  used                   integer NOT NULL,
  taken                  integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, minute)
) WITH (fillfactor = 50);

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
  blocked_by             text NOT NULL          -- system or operator
);

CREATE TABLE access.audit (
  audit_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at                     timestamptz NOT NULL DEFAULT now(),
  actor                  text NOT NULL,         -- operator, system or account:<id>
  action                 text NOT NULL,
  subject                text NOT NULL,
  detail                 jsonb NOT NULL DEFAULT '{}'   -- never personal data or secrets
);

-- One row per Idempotency-Key of an account; claimed by the insert, kept for 24 hours.
CREATE TABLE access.idempotency (
  account_id             uuid NOT NULL REFERENCES access.account,
  key                    text NOT NULL,
  request_sha256         bytea NOT NULL,        -- method, path and body
  claim_id               uuid NOT NULL,         -- of the request that may answer; a request that lost its claim writes nothing
  status                 integer,               -- null while the first request runs
  body                   text,                  -- as sent, byte for byte
  created_at             timestamptz NOT NULL DEFAULT now(),
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
