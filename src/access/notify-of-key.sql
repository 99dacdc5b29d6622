-- Queues the e-mail that notifies account $1 of its new key $2. Accounts cannot opt out of it.
INSERT INTO deliver.mail (account_id, type, about, data, next_attempt_at)
SELECT account_id, 'key-made', api_key_id, jsonb_build_object('prefix', display_prefix, 'name', name, 'scopes', scopes,
         'expires_at', expires_at, 'made_by', (SELECT p.display_prefix FROM access.api_key p WHERE p.api_key_id = $3),
         'person', (SELECT m.name FROM access.person m WHERE m.person_id = $4)),
       clock_timestamp()
FROM access.api_key WHERE account_id = $1 AND api_key_id = $2
