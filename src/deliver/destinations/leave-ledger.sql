-- Moves to the removed destination $2 what the account that destination $1 leaves is known or assumed to hold. A
-- record that no call can have reached is not part of it. What $2 already knows from an earlier change of account is
-- older and is overwritten.
INSERT INTO deliver.record AS r (destination_id, external_id, item_id, version, desired_sha256, state, outcome, sent_item_id,
  sent_version, sent_sha256, acknowledged_sha256, acknowledged_at, pushed_values, crm_id,
  reading, reading_run_id, fixes, unconfirmed, last_error)
SELECT $2, o.external_id, o.item_id, o.version, o.desired_sha256,
  CASE WHEN o.acknowledged_sha256 IS NOT NULL THEN 'acknowledged' WHEN o.state = 'rejected' THEN 'rejected' ELSE 'unknown' END, o.outcome, o.sent_item_id,
  o.sent_version, o.sent_sha256, o.acknowledged_sha256, o.acknowledged_at, o.pushed_values, o.crm_id,
  o.reading, o.reading_run_id, o.fixes,
  CASE o.state WHEN 'sending' THEN deliver.with_unconfirmed(o.unconfirmed, o.sent_item_id) ELSE o.unconfirmed END, o.last_error
FROM deliver.record o
WHERE o.destination_id = $1 AND (o.acknowledged_at IS NOT NULL OR o.state IN ('sending', 'unknown') OR o.unconfirmed IS NOT NULL)
ON CONFLICT (destination_id, external_id) DO UPDATE SET
  (item_id, version, desired_sha256, state, outcome, sent_item_id, sent_version, sent_sha256, acknowledged_sha256, acknowledged_at,
    pushed_values, crm_id, reading, reading_run_id, fixes, unconfirmed, last_error, updated_at) =
  (EXCLUDED.item_id, EXCLUDED.version, EXCLUDED.desired_sha256, EXCLUDED.state, EXCLUDED.outcome, EXCLUDED.sent_item_id,
    EXCLUDED.sent_version, EXCLUDED.sent_sha256, EXCLUDED.acknowledged_sha256, EXCLUDED.acknowledged_at, EXCLUDED.pushed_values,
    EXCLUDED.crm_id, EXCLUDED.reading, EXCLUDED.reading_run_id, EXCLUDED.fixes, EXCLUDED.unconfirmed, EXCLUDED.last_error, now())
