-- Finishes the pushes into destination $1 whose leads all have their answer.
UPDATE deliver.push p SET status = 'finished', error = NULL, finished_at = now()
WHERE p.destination_id = $1 AND p.status = 'running'
  AND NOT EXISTS (SELECT FROM deliver.delivery d
    WHERE d.destination_id = p.destination_id AND d.order_id = p.order_id AND d.state IN ('pending', 'sending', 'unknown'))
RETURNING p.push_id AS "pushId", p.order_id AS "orderId"
