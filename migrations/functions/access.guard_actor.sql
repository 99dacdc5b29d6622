-- Whom a connection may name as who acted. Jobs name the system, and those that trade the account whose money they settle;
-- requests name whoever called, an operator only with the operator's own credential, and on a connection that acts for an
-- account no other account. Only the owner's login, which commands have, names the operator at the terminal. What a login
-- may that puts no role on is what its roles may.
CREATE OR REPLACE FUNCTION access.guard_actor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  put_on CONSTANT text := current_setting('role');
  account CONSTANT text := coalesce(current_setting('panji.account', true), '');
  worker boolean; trade boolean; api boolean;
BEGIN
  IF access.is_by_hand() THEN RETURN NEW; END IF;
  worker := put_on = 'panji_worker' OR put_on = 'none' AND pg_has_role(session_user, 'panji_worker', 'MEMBER');
  trade := put_on = 'panji_trade' OR put_on = 'none' AND pg_has_role(session_user, 'panji_trade', 'MEMBER');
  api := put_on = 'panji_api' OR put_on = 'none' AND pg_has_role(session_user, 'panji_api', 'MEMBER');
  IF NEW.actor = 'system' AND (worker OR trade OR api) THEN RETURN NEW; END IF;
  IF NEW.actor LIKE 'account:_%' AND (trade OR api AND account IN ('', '*', split_part(NEW.actor, ':', 2))) THEN RETURN NEW; END IF;
  IF api AND NEW.actor = 'stranger' THEN RETURN NEW; END IF;
  IF api AND NEW.actor LIKE 'operator:_%' THEN
    -- An operator of the environment is no row, and does not go by the name of a living one that is.
    PERFORM FROM access.operator WHERE name = substr(NEW.actor, 10)
      AND (operator_id::text = NEW.credential OR NEW.credential = 'environment' AND revoked_at IS NULL);
    IF FOUND = (NEW.credential IS DISTINCT FROM 'environment') THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION '% may not say that % acted', coalesce(nullif(put_on, 'none'), session_user), NEW.actor USING ERRCODE = '42501';
END $$;
