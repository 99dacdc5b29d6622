-- Keeps a code that signs the person of an e-mail in, and only while that e-mail waits to be sent: it is one that somebody
-- asked for, as deliver.mail takes no e-mail of these types from whoever sends them. An e-mail that names nobody is for whom the
-- account was made for. The code of an invitation ends a week after the invitation at the latest. @returns false where there is none to send.
CREATE OR REPLACE FUNCTION access.make_sign_in_code(of_mail uuid, code_sha256 bytea, minutes integer) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH made AS (
    INSERT INTO access.sign_in_code (code_sha256, account_id, person_id, expires_at)
    SELECT make_sign_in_code.code_sha256, a.account_id, p.person_id,
           CASE m.type WHEN 'sign-in' THEN now() + make_interval(mins => least(minutes, 15))
                       ELSE least(now() + make_interval(mins => minutes), p.invited_at + interval '7 days') END
    FROM deliver.mail m JOIN access.account a USING (account_id)
    JOIN access.person p ON p.account_id = a.account_id
      AND (p.person_id = m.person_id OR m.person_id IS NULL AND lower(p.email) = lower(a.email))
    WHERE m.mail_id = of_mail AND m.state = 'pending' AND p.removed_at IS NULL
      AND (m.type = 'sign-in' AND m.created_at > now() - interval '15 minutes'
           OR m.type = 'invitation' AND p.joined_at IS NULL AND p.invited_at > now() - interval '7 days')
      AND a.erased_at IS NULL AND a.suspended_at IS NULL
    RETURNING 1)
  SELECT EXISTS (SELECT FROM made)
$$;
