-- E-mails to accounts about their deliveries, queued in the transaction that makes them true.
CREATE TABLE deliver.mail (
  mail_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  type                   text NOT NULL,
  about                  text NOT NULL,         -- one waits for each of these at a time; what comes meanwhile joins it
  data                   jsonb NOT NULL,
  state                  text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts               integer NOT NULL DEFAULT 0,
  next_attempt_at        timestamptz NOT NULL,
  last_error             text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  sent_at                timestamptz
);
CREATE UNIQUE INDEX mail_waiting ON deliver.mail (account_id, type, about) WHERE state = 'pending' AND attempts = 0;
CREATE INDEX mail_due ON deliver.mail (next_attempt_at) WHERE state = 'pending';
CREATE INDEX mail_account ON deliver.mail (account_id);

-- What an account wants no e-mail about.
CREATE TABLE deliver.mail_choice (
  account_id             uuid PRIMARY KEY REFERENCES access.account,
  unwanted               text[] NOT NULL DEFAULT '{}'
);
