-- Beside each delivery of `page` that waits what its destination is up to, and when the CRM is asked again; null where that is at
-- once, or not before somebody acts.
LEFT JOIN LATERAL (
  SELECT /* standing */ AS standing,
    CASE WHEN d.status IN ('active', 'broken') AND a.suspended_at IS NULL AND a.erased_at IS NULL
      AND greatest(d.retry_at, r.next_attempt_at) > clock_timestamp() THEN greatest(d.retry_at, r.next_attempt_at) END
      AS next_attempt_at
  FROM deliver.destination d
  JOIN access.account a ON a.account_id = d.account_id
  LEFT JOIN deliver.record r ON r.destination_id = d.destination_id AND r.external_id = page.record
  WHERE page.outcome IN ('pending', 'unknown') AND d.destination_id = page.destination_id
) AS waiting ON true
