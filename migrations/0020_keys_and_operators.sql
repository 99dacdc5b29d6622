-- Several keys per account with scopes and an end, operators as rows, blocks by hand as networks, and the canary that
-- tells a wrong PANJI_SECRET_KEY. Every column has a default, so the release before goes on writing beside this one.
ALTER TABLE access.api_key
  ADD COLUMN name        text NOT NULL DEFAULT 'default',
  ADD COLUMN scopes      text[] NOT NULL DEFAULT '{read,order,deliver}'
    CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,order,deliver}'),
  ADD COLUMN expires_at  timestamptz;           -- null: until it is revoked
-- Keys are named by their prefix within the account.
CREATE UNIQUE INDEX api_key_prefix ON access.api_key (account_id, display_prefix);

-- A session carries the scopes of its key, so that admission reads one row; it never outlives its key.
ALTER TABLE access.session
  ADD COLUMN scopes      text[] NOT NULL DEFAULT '{read,order,deliver}',
  ADD COLUMN opened_from text;                  -- address of the login
CREATE INDEX session_api_key ON access.session (api_key_id);

-- Set where an operator blocked by hand: calls with good keys and tokens are refused from there too.
ALTER TABLE access.blocked_address ADD COLUMN refused inet;
CREATE INDEX blocked_address_refused ON access.blocked_address USING gist (refused inet_ops);
UPDATE access.blocked_address SET refused = split_part(address, '%', 1)::inet WHERE blocked_by <> 'system';

CREATE TABLE access.operator (
  operator_id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name                   text NOT NULL,
  role                   text NOT NULL CHECK (role IN ('viewer', 'operator', 'owner')),
  token_sha256           bytea NOT NULL UNIQUE,
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz,
  revoked_at             timestamptz
);
CREATE UNIQUE INDEX operator_name ON access.operator (name) WHERE revoked_at IS NULL;

-- One row, sealed under the secret key that everything else is sealed under.
CREATE TABLE runtime.secret_canary (
  only_one               boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  key_id                 text NOT NULL,
  sealed                 bytea NOT NULL,
  sealed_at              timestamptz NOT NULL DEFAULT now()
);
