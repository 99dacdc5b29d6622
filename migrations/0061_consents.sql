-- Sign-ins at a CRM's own page: begun by an account, allowed by a browser, finished by whoever began it. What is secret about
-- one is kept as a hash, or sealed until it is finished.
CREATE TABLE deliver.consent (
  consent_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  begun_by               text NOT NULL,         -- the session, or the operator's commands
  connector              text NOT NULL,
  destination_id         uuid REFERENCES deliver.destination,  -- whose credentials are renewed
  redirect_uri           text NOT NULL,
  state_sha256           bytea NOT NULL UNIQUE,
  word_sha256            bytea UNIQUE,          -- shown to the browser that allowed it, and to nobody else
  sealed                 bytea NOT NULL,        -- settings, verifier and code; empty once it is finished
  created_at             timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz NOT NULL,
  answered_at            timestamptz,
  finished_at            timestamptz
);
CREATE INDEX consent_account ON deliver.consent (account_id);
CREATE INDEX consent_destination ON deliver.consent (destination_id);
