-- Adds to each delivery of `page` the id and page of its record in the account that its destination leads into now,
-- if that account has received it: people merge records, a deleted one may have been created again, and an id of a
-- former account is another record's. Adds to each delivered one what the CRM answered if it was sent again and
-- rejected, or nothing if by now it has what was missing. Adds to each waiting one the state of its destination, and
-- when it is retried; null if that is at once, or only after a person acts.
LEFT JOIN LATERAL (
  SELECT r.crm_id, replace(page.record_url, '{id}', r.crm_id) AS crm_url,
    CASE WHEN r.crm_id IS NULL OR page.outcome IN ('pending', 'unknown', 'rejected') THEN NULL
      WHEN r.state = 'rejected' THEN r.last_error
      WHEN r.state = 'acknowledged' AND r.last_error IS NULL THEN '{"code": null, "field": null, "message": null}' END AS since
  FROM deliver.record r
  WHERE r.destination_id = page.destination_id AND r.external_id = page.record
) AS known ON true
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
