-- Operators who signed in with a browser, and the codes of printed links, each of which lets one in once.
CREATE TABLE access.console_session (
  session_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  secret_sha256          bytea NOT NULL UNIQUE,
  operator_id            uuid REFERENCES access.operator, -- null for an operator of the environment
  environment_name       text,
  environment_mark       bytea,                 -- of the token that the environment gave then: with another the session is over
  opened_from            text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_used_at           timestamptz NOT NULL DEFAULT now(), -- to the minute
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
