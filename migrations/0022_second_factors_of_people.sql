-- The second factor of people: a secret that their authenticator holds, too, and codes for who has lost it. It counts once a code of it
-- was shown to be right.

CREATE TABLE access.person_totp (
  person_id              uuid PRIMARY KEY REFERENCES access.person ON DELETE CASCADE,
  secret_encrypted       bytea NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  confirmed_at           timestamptz,
  last_step              bigint NOT NULL DEFAULT 0  -- a code opens once: none of this or an earlier time is taken any more
);

CREATE TABLE access.recovery_code (
  code_sha256            bytea PRIMARY KEY,
  person_id              uuid NOT NULL REFERENCES access.person ON DELETE CASCADE,
  used_at                timestamptz
);
CREATE INDEX recovery_code_person ON access.recovery_code (person_id);
