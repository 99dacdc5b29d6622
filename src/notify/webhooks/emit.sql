-- The event of type $2 with data $3 for account $1, and a notice for each of its webhooks that hears of it.
WITH hearing AS (
  SELECT webhook_id, account_id FROM deliver.webhook
  WHERE account_id = $1 AND removed_at IS NULL AND $2::text = ANY(events)
),
happened AS (
  INSERT INTO deliver.event (account_id, type, data) SELECT DISTINCT account_id, $2::text, $3::jsonb FROM hearing
  RETURNING event_id
)
INSERT INTO deliver.notice (event_id, webhook_id) SELECT happened.event_id, hearing.webhook_id FROM happened, hearing
