-- Queues an e-mail to each other admin of account $1 that person $2 is invited as an admin, or made one ($3), by whoever $4 names.
-- One waits at a time. People cannot opt out of it.
INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
SELECT account_id, admin.person_id, 'admin-added', added.person_id || ' ' || admin.person_id,
       jsonb_build_object('account', username, 'email', added.email, 'change', $3::text, 'by', $4::text), clock_timestamp()
FROM access.account JOIN access.person AS added USING (account_id) JOIN access.person AS admin USING (account_id)
WHERE account_id = $1 AND added.person_id = $2 AND admin.person_id <> $2
  AND admin.role = 'admin' AND admin.joined_at IS NOT NULL AND admin.removed_at IS NULL
ON CONFLICT (account_id, type, about) WHERE state = 'pending' AND attempts = 0 DO NOTHING
