-- Inserts the event of type $2 with data $3 for account $1, if one of its webhooks subscribes to the type.
INSERT INTO deliver.event (account_id, type, data)
SELECT DISTINCT account_id, $2::text, $3::jsonb FROM deliver.webhook
WHERE account_id = $1 AND removed_at IS NULL AND $2::text = ANY(events)
RETURNING event_id AS "eventId"
