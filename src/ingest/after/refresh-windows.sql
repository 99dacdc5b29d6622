-- For one dataset, whose name is filled in: $1, the same name; $2: entitlements, or null for all of $3's; $3: a run, or
-- null for all days.
-- Invariant: window_count equals a count from scratch for what is refreshed. The caller has removed those rows in the
-- same transaction, under the lock that keeps refreshes apart, so that readers see the old counts or the new ones.
-- The register is read and grouped once, however many entitlements there are.
WITH granted AS MATERIALIZED (
  SELECT e.entitlement_id, e.window_from, e.window_to,
         -- As the feed compares them: names of places in any case.
         lower(e.states::text)::text[] AS states, lower(e.districts::text)::text[] AS districts, e.pincodes
  FROM access.entitlement e
  WHERE e.dataset = $1 AND ($2::uuid[] IS NULL OR e.entitlement_id = ANY($2))
), places AS MATERIALIZED (
  SELECT r.registered_on, r.state, r.district, r.pincode, count(*) AS rows
  FROM feed./* dataset */ r
  WHERE EXISTS (SELECT FROM granted)
    AND ($3::bigint IS NULL OR EXISTS (
          SELECT FROM ingest.touched_day d
          WHERE d.run_id = $3 AND d.dataset = $1 AND d.registered_on = r.registered_on))
  GROUP BY 1, 2, 3, 4
), states AS MATERIALIZED (
  SELECT registered_on, state, sum(rows) AS rows FROM places GROUP BY 1, 2
), counted AS (
  INSERT INTO feed.window_count (entitlement_id, state, registered_on, total)
  SELECT g.entitlement_id, coalesce(r.state, ''), r.registered_on, sum(r.rows)
  FROM granted g
    JOIN LATERAL (
      SELECT s.registered_on, s.state, s.rows FROM states s
      WHERE g.districts IS NULL AND g.pincodes IS NULL
      UNION ALL
      SELECT p.registered_on, p.state, p.rows FROM places p
      WHERE NOT (g.districts IS NULL AND g.pincodes IS NULL)
        AND (g.districts IS NULL OR lower(p.district) = ANY(g.districts))
        AND (g.pincodes IS NULL OR p.pincode = ANY(g.pincodes))
    ) r ON (g.window_from IS NULL OR r.registered_on >= g.window_from)
       AND (g.window_to IS NULL OR r.registered_on <= g.window_to)
       AND (g.states IS NULL OR lower(r.state) = ANY(g.states))
  GROUP BY 1, 2, 3
  RETURNING entitlement_id
)
SELECT count(DISTINCT entitlement_id) AS entitlements, count(*) AS rows FROM counted
