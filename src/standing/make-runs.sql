-- Makes a run for each active standing order of $1, which the caller has locked and whose matches without a run are
-- counted in $2. $3 is the import (null: several). The caller assigns the matches to the run in the same transaction.
-- Invariant: no run is made for a standing order that was paused before.
-- The first run needs approval, and so does one with more than $4 times the matches of a usual day, by the last $5 days
-- that had any.
WITH live AS (
  SELECT s.*, found.matches FROM unnest($1::uuid[], $2::integer[]) AS found (standing_order_id, matches)
  JOIN orders.standing_order s USING (standing_order_id) WHERE s.state IN ('active', 'blocked')
), judged AS (
  SELECT live.*, usual.matches AS usual,
         CASE WHEN NOT live.buys THEN NULL WHEN live.approved_at IS NULL THEN 'first_run'
              WHEN live.matches > $4::integer * usual.matches THEN 'unusual' END AS waits
  FROM live
  CROSS JOIN LATERAL (
    SELECT round(sum(run.matches)::numeric / count(DISTINCT runtime.indian_day(run.created_at)), 1) AS matches
    FROM orders.standing_run run WHERE run.standing_order_id = live.standing_order_id AND run.state IN ('finished', 'open')
      AND run.created_at > now() - make_interval(days => $5::integer)) usual
), made AS (
  INSERT INTO orders.standing_run (standing_order_id, version, import_run_id, state, reason, matches, usual, budget)
  SELECT standing_order_id, version, $3::bigint, CASE WHEN waits IS NULL THEN 'open' ELSE 'needs_approval' END, waits, matches, usual,
         CASE WHEN buys THEN jsonb_build_object('day', budget_day, 'month', budget_month, 'run', budget_run) END
  FROM judged ORDER BY standing_order_id
  RETURNING run_id, standing_order_id, matches, usual, reason
)
SELECT made.run_id AS "runId", made.standing_order_id AS id, live.account_id AS "accountId", live.name, made.matches, made.usual, made.reason
FROM made JOIN live USING (standing_order_id) ORDER BY made.run_id
