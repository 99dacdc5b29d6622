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
