-- Copies to destination $1 the records that other destinations of its account hold in the same CRM account ($2),
-- unless $1 has newer information: what the CRM acknowledged, so that nothing is written twice and no edit is missed.
-- If several destinations know a record, the one with the latest answer wins. A version requested since is raised,
-- never lowered, and sent again, which writes nothing where the CRM already holds it. A record that was deleted there
-- (acknowledged once, rejected since) stays known and is not created again.
INSERT INTO deliver.record AS r (destination_id, external_id, item_id, version, desired_sha256, state, outcome, sent_item_id,
  sent_version, sent_sha256, acknowledged_sha256, acknowledged_at, pushed_values, crm_id,
  reading, reading_run_id, fixes, unconfirmed, last_error)
SELECT DISTINCT ON (o.external_id) $1, o.external_id, coalesce(o.sent_item_id, o.item_id), coalesce(o.sent_version, o.version),
  coalesce(o.acknowledged_sha256, o.desired_sha256), CASE WHEN o.acknowledged_sha256 IS NULL THEN 'rejected' ELSE 'acknowledged' END,
  CASE WHEN o.acknowledged_sha256 IS NOT NULL THEN 'unchanged' END, o.sent_item_id, o.sent_version, o.sent_sha256, o.acknowledged_sha256,
  o.acknowledged_at, o.pushed_values, o.crm_id, o.reading, o.reading_run_id, o.fixes,
  CASE o.state WHEN 'sending' THEN deliver.with_unconfirmed(o.unconfirmed, o.sent_item_id) ELSE o.unconfirmed END,
  CASE WHEN o.acknowledged_sha256 IS NULL THEN o.last_error END
FROM deliver.record o
WHERE o.destination_id = ANY($2::uuid[]) AND o.acknowledged_at IS NOT NULL
ORDER BY o.external_id, o.acknowledged_at DESC
ON CONFLICT (destination_id, external_id) DO UPDATE SET
  item_id = CASE WHEN EXCLUDED.version > r.version THEN EXCLUDED.item_id ELSE r.item_id END,
  desired_sha256 = CASE WHEN EXCLUDED.version > r.version THEN EXCLUDED.desired_sha256 ELSE r.desired_sha256 END,
  version = greatest(EXCLUDED.version, r.version),
  acknowledged_sha256 = EXCLUDED.acknowledged_sha256,
  acknowledged_at = EXCLUDED.acknowledged_at,
  pushed_values = EXCLUDED.pushed_values,
  crm_id = EXCLUDED.crm_id,
  reading = CASE WHEN EXCLUDED.version > r.version THEN EXCLUDED.reading ELSE r.reading END,
  reading_run_id = CASE WHEN EXCLUDED.version > r.version THEN EXCLUDED.reading_run_id ELSE r.reading_run_id END,
  fixes = coalesce(r.fixes, EXCLUDED.fixes),
  unconfirmed = r.unconfirmed || EXCLUDED.unconfirmed
WHERE r.acknowledged_at IS NULL OR r.acknowledged_at < EXCLUDED.acknowledged_at
