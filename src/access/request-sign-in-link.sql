-- Records that address $1 requested a link for the e-mail address $3, whose hash is $2, and queues an e-mail for each
-- account with a member of that address. Within $4 minutes an address may ask $5 times, and for an e-mail address $6
-- requests are allowed; requests beyond that are not recorded either, so waiting helps. A pending e-mail covers further
-- requests.
WITH recent AS (
  SELECT count(*) FILTER (WHERE address = $1) AS of_address, count(*) FILTER (WHERE email_sha256 = $2) AS of_email
  FROM access.sign_in_request
  WHERE (address = $1 OR email_sha256 = $2) AND asked_at > now() - make_interval(mins => $4)
), allowed AS (
  SELECT FROM recent WHERE of_address < $5 AND of_email < $6
), noted AS (
  INSERT INTO access.sign_in_request (address, email_sha256) SELECT $1, $2 FROM allowed
)
INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
SELECT a.account_id, p.person_id, 'sign-in', 'sign-in ' || p.person_id, jsonb_build_object('account', a.username), clock_timestamp()
FROM access.person p JOIN access.account a USING (account_id), allowed
WHERE lower(p.email) = $3 AND p.removed_at IS NULL AND p.joined_at IS NOT NULL AND a.erased_at IS NULL AND a.suspended_at IS NULL
ON CONFLICT (account_id, type, about) WHERE state = 'pending' AND attempts = 0 DO NOTHING
