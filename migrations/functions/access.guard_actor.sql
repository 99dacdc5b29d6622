-- Whom a connection may name as who acted. Jobs name the system, and those that trade the account whose money they settle;
-- requests name whoever called, an operator only with the operator's own credential, whose hash is stored and which the statement must show, and on a connection that acts for an
-- account no other account. Only the owner's login, which commands have, names the operator at the terminal. What a login
-- may that puts no role on is what its roles may.
CREATE OR REPLACE FUNCTION access.guard_actor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  put_on CONSTANT text := current_setting('role');
  account CONSTANT text := coalesce(current_setting('panji.account', true), '');
  worker boolean; trade boolean; api boolean;
  shown bytea[];
BEGIN
  IF access.is_by_hand() THEN RETURN NEW; END IF;
  worker := put_on = 'panji_worker' OR put_on = 'none' AND pg_has_role(session_user, 'panji_worker', 'MEMBER');
  trade := put_on = 'panji_trade' OR put_on = 'none' AND pg_has_role(session_user, 'panji_trade', 'MEMBER');
  api := put_on = 'panji_api' OR put_on = 'none' AND pg_has_role(session_user, 'panji_api', 'MEMBER');
  IF NEW.actor = 'system' AND (worker OR trade OR api) THEN RETURN NEW; END IF;
  IF NEW.actor LIKE 'account:_%' AND (trade OR api AND account IN ('', '*', split_part(NEW.actor, ':', 2))) THEN RETURN NEW; END IF;
  IF api AND NEW.actor = 'anonymous' THEN RETURN NEW; END IF;
  IF api AND NEW.actor LIKE 'operator:_%' THEN
    -- An operator of the environment is no row, and does not go by the name of a living one that is.
    IF NEW.credential = 'environment' THEN
      PERFORM FROM access.operator WHERE name = substr(NEW.actor, 10) AND revoked_at IS NULL;
      IF NOT FOUND THEN RETURN NEW; END IF;
    ELSE
      shown := access.shown_proofs();
      -- By token, by the secret of the operator's browser session, or within a view of the account that the operator opened.
      PERFORM FROM access.operator o WHERE o.name = substr(NEW.actor, 10) AND o.operator_id::text = NEW.credential
        AND (o.token_sha256 = ANY (shown)
             OR EXISTS (SELECT FROM access.console_session s WHERE s.operator_id = o.operator_id AND s.secret_sha256 = ANY (shown))
             OR EXISTS (SELECT FROM access.session s WHERE s.viewer_id = NEW.credential AND s.account_id = NEW.account_id));
      IF FOUND THEN RETURN NEW; END IF;
    END IF;
  END IF;
  RAISE EXCEPTION '% may not say that % acted', coalesce(nullif(put_on, 'none'), session_user), NEW.actor USING ERRCODE = '42501';
END $$;
