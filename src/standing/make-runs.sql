-- Of the standing orders $1, which the caller holds, the matches without a run become one each, of the import $2 (null: of several).
-- Invariant: a match belongs to one run at most, and none is bought of a standing order that was paused before its run was made.
-- The first run waits, and one of more than $3 times the matches of a usual day of the last $4, by the days that found any.
WITH live AS (
  SELECT s.*, s.state IN ('active', 'blocked') AS is_on FROM orders.standing_order s WHERE s.standing_order_id = ANY ($1::uuid[])
), counted AS (
  SELECT live.standing_order_id, count(*)::integer AS matches
  FROM live JOIN orders.standing_match m ON m.standing_order_id = live.standing_order_id
  WHERE live.is_on AND m.run_id IS NULL AND m.state = 'found' GROUP BY 1
), judged AS (
  SELECT live.*, counted.matches, usual.matches AS usual,
         CASE WHEN NOT live.buys THEN NULL WHEN live.approved_at IS NULL THEN 'first_run'
              WHEN counted.matches > $3::integer * usual.matches THEN 'unusual' END AS waits
  FROM live JOIN counted USING (standing_order_id)
  CROSS JOIN LATERAL (
    SELECT round(sum(run.matches)::numeric / count(DISTINCT runtime.indian_day(run.created_at)), 1) AS matches
    FROM orders.standing_run run WHERE run.standing_order_id = live.standing_order_id AND run.state IN ('finished', 'open')
      AND run.created_at > now() - make_interval(days => $4::integer)) usual
), made AS (
  INSERT INTO orders.standing_run (standing_order_id, version, import_run_id, state, reason, matches, usual, budget)
  SELECT standing_order_id, version, $2::bigint, CASE WHEN waits IS NULL THEN 'open' ELSE 'needs_approval' END, waits, matches, usual,
         CASE WHEN buys THEN jsonb_build_object('day', budget_day, 'month', budget_month, 'run', budget_run) END
  FROM judged ORDER BY standing_order_id
  RETURNING run_id, standing_order_id, matches, usual, reason
), runs AS (
  -- As one value: the planner expects few matches, and would look through all runs for each of thousands.
  SELECT jsonb_object_agg(standing_order_id, run_id) AS by_order FROM made
), marked AS (
  UPDATE orders.standing_match m SET run_id = ((SELECT by_order FROM runs) ->> m.standing_order_id::text)::bigint
  WHERE m.standing_order_id = ANY ($1::uuid[]) AND (SELECT by_order FROM runs) ? m.standing_order_id::text
    AND m.run_id IS NULL AND m.state = 'found'
), skipped AS (
  UPDATE orders.standing_match m SET state = 'skipped' FROM live
  WHERE m.standing_order_id = live.standing_order_id AND NOT live.is_on AND m.run_id IS NULL AND m.state = 'found'
)
SELECT made.run_id AS "runId", made.standing_order_id AS id, live.account_id AS "accountId", live.name, made.matches, made.usual, made.reason
FROM made JOIN live USING (standing_order_id) ORDER BY made.run_id
