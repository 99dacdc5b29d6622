-- The event of type $2 with data $3 for the account of destination $1, and a notice for each of its webhooks that hears of it.
WITH hearing AS (
  SELECT w.webhook_id, w.account_id
  FROM deliver.destination d JOIN deliver.webhook w ON w.account_id = d.account_id
  WHERE d.destination_id = $1 AND w.removed_at IS NULL AND $2::text = ANY(w.events)
),
happened AS (
  INSERT INTO deliver.event (account_id, type, data) SELECT DISTINCT account_id, $2::text, $3::jsonb FROM hearing
  RETURNING event_id
)
INSERT INTO deliver.notice (event_id, webhook_id) SELECT happened.event_id, hearing.webhook_id FROM happened, hearing
