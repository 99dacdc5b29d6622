-- Beside each delivery of `page` the id and the page of its record in the account that its destination leads into now, where that account has
-- taken it: people merge records, one that they deleted may have been made anew, and an id of an account before is another record's.
-- Beside each that was delivered what the CRM said when it was sent again and refused, or nothing where it has by now what it was taken
-- without. Beside each that waits what its destination is up to, and when the CRM is asked again; null where that is at once, or not before
-- somebody acts.
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
