-- Leads of push $2 into destination $1 that are persons who objected: they are not sent, and the ledger says why.
UPDATE deliver.delivery d SET
  state = 'rejected',
  outcome = NULL,
  last_error = jsonb_build_object('code', 'SUPPRESSED', 'field', NULL, 'message', 'the person objected; nothing was sent'),
  fence = NULL,
  updated_at = now()
FROM orders.lead l
WHERE d.destination_id = $1 AND d.push_id = $2 AND d.state = 'pending' AND l.item_id = d.item_id
  AND l.type = 'director' AND access.suppressed('din', l.identifier)
