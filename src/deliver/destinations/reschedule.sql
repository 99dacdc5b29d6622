-- Applies the changed `deliver` of destination $1 to its automatic pushes that have not begun: they are due at its next
-- time, or end unsent if nothing is delivered automatically any more. If it delivers approved plans only, those that
-- have begun end, too. What a standing order bought is sent all the same.
UPDATE deliver.push p SET
  due_at = coalesce(next.at, p.due_at),
  status = CASE WHEN ends.unsent THEN 'finished' ELSE p.status END,
  finished_at = CASE WHEN ends.unsent THEN now() END
FROM deliver.destination d
CROSS JOIN orders.purchase o
CROSS JOIN LATERAL (SELECT deliver.next_delivery(d.deliver) AS at) next
CROSS JOIN LATERAL (SELECT next.at IS NULL AND o.standing_run_id IS NULL AS unsent) ends
WHERE d.destination_id = $1 AND p.destination_id = d.destination_id AND o.order_id = p.order_id
  AND p.asked_by = 'order' AND p.status IN ('queued', 'running')
  AND (p.enqueued_through IS NULL OR d.deliver = 'approved' AND ends.unsent)
