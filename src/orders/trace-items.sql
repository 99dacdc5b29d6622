-- Traces order $1. One row per item: the run and snapshot from which its lead was read; the lead; for each of its
-- contacts, without the value, who collected it, in which file and when, and the owner's preference; the ledger
-- entries that paid for it or refunded it; and what became of it in each destination.
SELECT item.position AS index, item.type, item.identifier AS number, item.name,
  CASE WHEN run.run_id IS NOT NULL THEN jsonb_build_object(
    'source', run.source,
    'name', regexp_replace(split_part(split_part(run.input, '?', 1), '#', 1), '^.*[/\\]', ''),
    'sha256', run.sha256, 'day', run.as_of, 'line', origin.line, 'run_id', run.run_id) END AS snapshot,
  lead.registry_run_id AS registry_version,
  CASE WHEN lead.item_id IS NOT NULL THEN jsonb_build_object(
    'sha256', encode(sha256(convert_to(lead.flat::text, 'UTF8')), 'hex'), 'built_at', lead.built_at) END AS lead,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'entry_id', transfer_id * 2 - CASE WHEN from_id = customer_id THEN 1 ELSE 0 END,
      'at', created_at, 'kind', kind, 'reference', reference,
      'amount', CASE WHEN kind IN ('refund', 'release') THEN 1 WHEN kind = 'settle' THEN 0 ELSE -1 END) ORDER BY transfer_id), '[]')
   FROM ledger.transfer
   WHERE transfer.order_id = $1 AND (transfer.item_id = item.item_id OR transfer.transfer_id IN (item.charge_id, item.settled_id)
     OR transfer.transfer_id IN (SELECT reverses FROM ledger.transfer AS back WHERE back.order_id = $1 AND back.item_id = item.item_id))
  ) AS entries,
  (SELECT coalesce(jsonb_agg(contact.way - 'value' ORDER BY contact.place), '[]')
   FROM jsonb_array_elements(lead.full_data -> 'contacts') WITH ORDINALITY AS contact (way, place)
   WHERE item.refunded_at IS NULL AND item.withdrawn_at IS NULL
     AND NOT access.suppressed(CASE contact.way ->> 'kind' WHEN 'email' THEN 'email' ELSE 'mobile' END, contact.way ->> 'value')
  ) AS contacts,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'delivery_id', delivery.delivery_id, 'destination_id', delivery.destination_id,
      'outcome', CASE delivery.state WHEN 'acknowledged' THEN delivery.outcome WHEN 'sending' THEN 'pending' ELSE delivery.state END,
      'crm_id', record.crm_id,
      'crm_url', replace(destination.record_urls ->> split_part(delivery.external_id, ':', 1), '{id}', record.crm_id),
      'at', delivery.updated_at) ORDER BY delivery.updated_at), '[]')
   FROM deliver.delivery JOIN deliver.destination USING (destination_id)
   -- The account that the destination leads into now has the record under this id.
   LEFT JOIN deliver.record ON record.destination_id = delivery.destination_id AND record.external_id = delivery.external_id WHERE delivery.item_id = item.item_id) AS deliveries
FROM orders.item
LEFT JOIN orders.lead USING (item_id)
LEFT JOIN ingest.run ON run.run_id = lead.registry_run_id
LEFT JOIN LATERAL (
  SELECT change.record_no + (
           SELECT line_offset FROM ingest.line_offset
           WHERE line_offset.run_id = change.run_id AND line_offset.record_no <= change.record_no
           ORDER BY line_offset.record_no DESC LIMIT 1) AS line
  FROM (
    SELECT change_id, run_id, record_no FROM ingest.change WHERE entity = item.type AND identifier = item.identifier
    -- For a record that a first load inserted and nothing changed since.
    UNION ALL SELECT insert_change_id, first_run_id, insert_record_no FROM registry.company
    WHERE item.type = 'company' AND cin = item.identifier AND insert_change_id IS NOT NULL
    UNION ALL SELECT insert_change_id, first_run_id, insert_record_no FROM registry.gst_taxpayer
    WHERE item.type = 'gst' AND gstin = item.identifier AND insert_change_id IS NOT NULL
    UNION ALL SELECT insert_change_id, first_run_id, insert_record_no FROM registry.director
    WHERE item.type = 'director' AND din = item.identifier AND insert_change_id IS NOT NULL
  ) AS change
  WHERE change.run_id = lead.registry_run_id
  ORDER BY change.change_id DESC LIMIT 1
) AS origin ON true
WHERE item.order_id = $1
ORDER BY item.position
