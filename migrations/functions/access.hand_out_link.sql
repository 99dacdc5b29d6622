-- Keeps the code of a link that an operator hands out to a person of an account: of a stored operator only with the proof of the
-- operator's token, or of the secret of the operator's browser session. The link of an invitation ends with it, one of somebody who
-- has joined after some minutes. @returns when; null where the person is gone, or the invitation has had its time.
CREATE OR REPLACE FUNCTION access.hand_out_link(
  of_person uuid, code_sha256 bytea, minutes integer, operator_id text, operator_name text, proof text
) RETURNS timestamptz LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE ends timestamptz;
BEGIN
  IF access.shows_operator(hand_out_link.operator_id, hand_out_link.operator_name, hand_out_link.proof) IS NOT TRUE
  THEN RAISE EXCEPTION 'no link is handed out without a credential of its operator' USING ERRCODE = '42501'; END IF;
  INSERT INTO access.sign_in_code AS kept (code_sha256, account_id, person_id, expires_at)
  SELECT hand_out_link.code_sha256, p.account_id, p.person_id, latest.at
  FROM access.person p JOIN access.account a ON a.account_id = p.account_id,
    LATERAL (SELECT CASE WHEN p.joined_at IS NULL THEN p.invited_at + interval '7 days'
                         ELSE now() + make_interval(mins => least(minutes, 60)) END AS at) AS latest
  WHERE p.person_id = of_person AND p.removed_at IS NULL AND a.erased_at IS NULL AND latest.at > now()
  RETURNING kept.expires_at INTO ends;
  RETURN ends;
END $$;
