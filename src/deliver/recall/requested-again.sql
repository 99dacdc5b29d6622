-- Ends the recalls from destination $1 because of an undone import whose record another order requested there since:
-- it is owed for that order, and stays.
UPDATE deliver.recall c SET status = 'kept', settled_at = now(),
  answer = coalesce(c.answer, '{}') || '{"requested_again": true}'
WHERE c.destination_id = $1 AND c.status = 'pending' AND c.reason = 'undone'
  AND EXISTS (SELECT FROM deliver.delivery d JOIN orders.item i ON i.item_id = d.item_id
    WHERE d.destination_id = c.destination_id AND d.external_id = c.external_id AND d.created_at > c.requested_at
      AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL)
