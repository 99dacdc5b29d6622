-- Opens an operator's view of an account: of a stored operator only with the proof of the operator's token, or of the secret of the
-- operator's browser session.
CREATE OR REPLACE FUNCTION access.open_account_view(
  of_account uuid, viewer_id text, viewer_name text, refresh_sha256 bytea, opened_from text, minutes integer, proof text
) RETURNS TABLE (session_id uuid, expires_at timestamptz) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF access.shows_operator(open_account_view.viewer_id, open_account_view.viewer_name, open_account_view.proof) IS NOT TRUE
  THEN RAISE EXCEPTION 'no view opens without a credential of its operator' USING ERRCODE = '42501'; END IF;
  RETURN QUERY
    INSERT INTO access.session AS opened (account_id, viewer_id, viewer_name, refresh_sha256, scopes, opened_from, expires_at)
    VALUES (of_account, open_account_view.viewer_id, open_account_view.viewer_name, open_account_view.refresh_sha256, '{read}',
            open_account_view.opened_from, now() + make_interval(mins => minutes))
    RETURNING opened.session_id, opened.expires_at;
END $$;
