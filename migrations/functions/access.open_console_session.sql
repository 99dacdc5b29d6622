-- Opens a session of an operator's browser: of a stored operator only with the proof of the operator's token. One of the environment
-- has none here, and its mark is checked at each use.
CREATE OR REPLACE FUNCTION access.open_console_session(
  secret_sha256 bytea, of_operator uuid, environment_name text, environment_mark bytea, opened_from text, hours integer, proof text
) RETURNS TABLE (session_id uuid, expires_at timestamptz) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF of_operator IS NOT NULL AND NOT EXISTS (
    SELECT FROM access.operator o WHERE o.operator_id = of_operator AND o.revoked_at IS NULL
      AND o.token_sha256 = sha256(decode(open_console_session.proof, 'hex')))
  THEN RAISE EXCEPTION 'no session opens without the token of its operator' USING ERRCODE = '42501'; END IF;
  RETURN QUERY
    INSERT INTO access.console_session AS opened (secret_sha256, operator_id, environment_name, environment_mark, opened_from, expires_at)
    VALUES (open_console_session.secret_sha256, of_operator, open_console_session.environment_name,
            open_console_session.environment_mark, open_console_session.opened_from, now() + make_interval(hours => hours))
    RETURNING opened.session_id, opened.expires_at;
END $$;
