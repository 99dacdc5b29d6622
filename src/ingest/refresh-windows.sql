-- For one dataset, whose name is filled in: $1, the same name; $2: entitlements, or null for all of $3's; $3: a run, or
-- null for all days.
-- Invariant: window_count equals a count from scratch for what is refreshed. The caller has removed those rows in the
-- same transaction, under the lock that keeps refreshes apart, so that readers see the old counts or the new ones.
WITH counted AS (
  INSERT INTO feed.window_count (entitlement_id, state, registered_on, total)
  SELECT e.entitlement_id, coalesce(r.state, ''), r.registered_on, count(*)
  FROM access.entitlement e
  CROSS JOIN feed./* dataset */ r
  WHERE e.dataset = $1
    AND ($2::uuid[] IS NULL OR e.entitlement_id = ANY($2))
    AND ($3::bigint IS NULL OR EXISTS (
          SELECT FROM ingest.touched_day d
          WHERE d.run_id = $3 AND d.dataset = $1 AND d.registered_on = r.registered_on))
    AND (e.window_from IS NULL OR r.registered_on >= e.window_from)
    AND (e.window_to IS NULL OR r.registered_on <= e.window_to)
    -- As the feed compares them: names of places in any case.
    AND (e.states IS NULL OR lower(r.state) = ANY(lower(e.states::text)::text[]))
    AND (e.districts IS NULL OR lower(r.district) = ANY(lower(e.districts::text)::text[]))
    AND (e.pincodes IS NULL OR r.pincode = ANY(e.pincodes))
  GROUP BY 1, 2, 3
  RETURNING entitlement_id
)
SELECT count(DISTINCT entitlement_id) AS entitlements, count(*) AS rows FROM counted
