-- The people of an account, each with a role. Whoever the account was made for is its first admin.

CREATE TABLE access.person (
  person_id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  email                  text NOT NULL,
  name                   text NOT NULL,
  role                   text NOT NULL CHECK (role IN ('viewer', 'buyer', 'admin')),
  invited_by             uuid REFERENCES access.person,  -- null: an operator did, or a program with an API key
  invited_at             timestamptz NOT NULL DEFAULT now(),
  joined_at              timestamptz,           -- null: the invitation was not used yet
  removed_at             timestamptz,
  last_used_at           timestamptz            -- the last sign-in
);
CREATE UNIQUE INDEX person_email ON access.person (account_id, lower(email)) WHERE removed_at IS NULL;
CREATE INDEX person_address ON access.person (lower(email)) WHERE removed_at IS NULL;
CREATE INDEX person_invited_by ON access.person (invited_by) WHERE invited_by IS NOT NULL;

INSERT INTO access.person (account_id, email, name, role, invited_at, joined_at)
SELECT account_id, email, username, 'admin', created_at, created_at FROM access.account WHERE erased_at IS NULL;

-- Stands in migrations/functions, which are applied after the tables. Until then it refuses every write.
CREATE FUNCTION access.add_first_admin() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE TRIGGER account_first_admin AFTER INSERT ON access.account FOR EACH ROW EXECUTE FUNCTION access.add_first_admin();
