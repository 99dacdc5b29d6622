-- The content of the receipt of delivery $1: from the file that contained the record to the record in the CRM and the
-- credit that paid for it. If account $2 is null, any account matches.
SELECT d.delivery_id, d.order_id, d.item_id, d.destination_id, o.connector AS type, coalesce(d.remote_account, o.verified_account) AS remote_account,
  d.external_id AS record, encode(d.payload_sha256, 'hex') AS payload_sha256, d.outcome, d.crm_id,
  to_char(d.acknowledged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS acknowledged_at,
  coalesce(d.reading_run_id, l.registry_run_id) AS run_id, r.sha256 AS file_sha256, coalesce(i.settled_id, i.charge_id) AS ledger_transfer,
  run.standing_order_id, run.run_id AS standing_run_id, d.state
FROM deliver.delivery d
JOIN deliver.destination o ON o.destination_id = d.destination_id
JOIN orders.item i ON i.item_id = d.item_id
JOIN orders.purchase p ON p.order_id = d.order_id
LEFT JOIN orders.standing_run run ON run.run_id = p.standing_run_id
LEFT JOIN orders.lead l ON l.item_id = d.item_id
LEFT JOIN ingest.run r ON r.run_id = coalesce(d.reading_run_id, l.registry_run_id)
WHERE d.delivery_id = $1 AND ($2::uuid IS NULL OR o.account_id = $2)
