-- Destinations with work to do now: the account is open, no worker holds them, no wait is active, and a record or a
-- push is due. A paused destination is due only while leads of a push still have to be enqueued, which needs no call;
-- with new settings its CRM has to be verified first, once it is resumed. Of the destinations whose CRM hangs, no
-- more are due than may be held.
SELECT d.destination_id AS "destinationId"
FROM deliver.destination d
JOIN access.account a ON a.account_id = d.account_id
WHERE d.status IN ('active', 'broken', 'paused') AND a.suspended_at IS NULL AND a.erased_at IS NULL
  AND (d.status = 'paused' OR d.retry_at IS NULL OR d.retry_at <= clock_timestamp())
  AND (d.status = 'paused' OR deliver.within_hours(d.hours, clock_timestamp()))
  AND (d.status <> 'paused' OR d.set_up_at IS NOT NULL OR d.verified_account IS NULL)
  AND (d.leased_until IS NULL OR d.leased_until < clock_timestamp())
  AND (d.status = 'paused' OR /* may_hold */)
  AND (EXISTS (SELECT FROM deliver.record r
      WHERE d.status <> 'paused' AND r.destination_id = d.destination_id AND r.state IN ('pending', 'sending', 'unknown')
        AND (r.next_attempt_at IS NULL OR r.next_attempt_at <= clock_timestamp()))
    OR EXISTS (SELECT FROM deliver.push p
      WHERE p.destination_id = d.destination_id AND (p.status = 'running' AND d.status <> 'paused'
          OR p.status = 'queued' AND p.due_at <= clock_timestamp()
        AND (p.enqueued_through IS NOT NULL
          OR NOT EXISTS (SELECT FROM orders.item i WHERE i.order_id = p.order_id AND i.has_contact AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
            AND NOT EXISTS (SELECT FROM orders.lead l WHERE l.item_id = i.item_id))))
        AND NOT EXISTS (SELECT FROM deliver.delivery w WHERE p.status = 'running' AND w.destination_id = p.destination_id
          AND w.order_id = p.order_id AND w.state IN ('pending', 'sending', 'unknown'))))
  -- Skipped if a wake-up is already queued.
  AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = $1 AND j.state IN ('created', 'retry')
    AND j.start_after <= now() AND j.data ->> 'destinationId' = d.destination_id::text)
