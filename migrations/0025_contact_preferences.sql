-- What the owner of an address or a number has asked for or agreed to, as an operator's list says it: the register of
-- preferences of the telephone authority, or a record of consents. A source like any other, so it keeps its history.
CREATE TABLE registry.contact_preference (
  id                     text PRIMARY KEY,      -- value|list
  value                  text NOT NULL,         -- an address in lower case, or a number in E.164
  preference             text NOT NULL CHECK (preference IN ('do_not_contact', 'consent')),
  list                   text NOT NULL,         -- the register that says so
  stated_on              date,
  expires_on             date,
  fingerprint            bigint,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX contact_preference_value ON registry.contact_preference (value);

-- Whether an account's orders and quotes leave out contacts whose owner asked not to be contacted.
ALTER TABLE access.account ADD COLUMN excludes_preferences boolean NOT NULL DEFAULT false;
