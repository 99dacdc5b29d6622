-- Hands recalls of removed destinations, including those that failed for lack of credentials, to a destination that
-- leads into the same account, one per record at a time. A record that destination was asked to hold after the recall
-- was requested is not part of it.
WITH open AS (
  SELECT DISTINCT ON (l.destination_id, c.external_id) c.recall_id, l.destination_id,
    l.verified_holds = gone.verified_holds AS same_kind
  FROM deliver.recall c
  JOIN deliver.destination gone ON gone.destination_id = c.destination_id AND gone.status = 'removed'
  JOIN LATERAL (
    SELECT * FROM deliver.destination
    WHERE account_id = gone.account_id AND connector = gone.connector AND verified_account = gone.verified_account
      AND status <> 'removed' AND set_up_at IS NOT NULL
    ORDER BY verified_holds = gone.verified_holds DESC, created_at, destination_id LIMIT 1
  ) AS l ON true
  WHERE c.status IN ('pending', 'failed')
    AND NOT EXISTS (SELECT FROM deliver.recall o WHERE o.destination_id = l.destination_id AND o.external_id = c.external_id AND o.status = 'pending')
    AND NOT EXISTS (SELECT FROM deliver.record r WHERE r.destination_id = l.destination_id AND r.external_id = c.external_id
      AND r.acknowledged_at > c.requested_at)
  ORDER BY l.destination_id, c.external_id, c.requested_at DESC, c.recall_id
)
-- If the destination holds records of another kind, the CRM's own id belongs to the other kind.
UPDATE deliver.recall c SET destination_id = open.destination_id, status = 'pending', settled_at = NULL, answer = NULL,
  crm_id = CASE WHEN open.same_kind THEN c.crm_id END
FROM open WHERE c.recall_id = open.recall_id
