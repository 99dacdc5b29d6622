-- The second factor of operators: a secret that their authenticator holds, too. It counts once a code of it was shown to be right.
CREATE TABLE access.operator_totp (
  operator_id            uuid PRIMARY KEY REFERENCES access.operator,
  secret_encrypted       bytea NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  confirmed_at           timestamptz,
  last_step              bigint NOT NULL DEFAULT 0 -- a code opens once: none of this or an earlier time is taken any more
);
