-- Keeps a code that signs the account of an e-mail in, and only while that e-mail waits to be sent: it is one that somebody
-- asked for, as deliver.mail takes no e-mail of this type from whoever sends them. @returns false where there is none to send.
CREATE OR REPLACE FUNCTION access.make_sign_in_code(of_mail uuid, code_sha256 bytea, minutes integer) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH made AS (
    INSERT INTO access.sign_in_code (code_sha256, account_id, expires_at)
    SELECT make_sign_in_code.code_sha256, a.account_id, now() + make_interval(mins => least(minutes, 15))
    FROM deliver.mail m JOIN access.account a USING (account_id)
    WHERE m.mail_id = of_mail AND m.type = 'sign-in' AND m.state = 'pending' AND m.created_at > now() - interval '15 minutes'
      AND a.erased_at IS NULL AND a.suspended_at IS NULL
    RETURNING 1)
  SELECT EXISTS (SELECT FROM made)
$$;
