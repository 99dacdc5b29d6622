-- Whoever an account is made for is its first admin, however it is made; so an account without people is never seen.
CREATE OR REPLACE FUNCTION access.add_first_admin() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO access.person (account_id, email, name, role, invited_at, joined_at)
  VALUES (NEW.account_id, NEW.email, NEW.username, 'admin', NEW.created_at, NEW.created_at);
  RETURN NULL;
END $$;
