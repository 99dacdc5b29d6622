-- How many facts of the payment processor wait for an operator, by each of these outcomes; of no use for learning which, so that jobs
-- that may read no payment can tell operators of them.
CREATE OR REPLACE FUNCTION orders.count_open_events(outcomes text[]) RETURNS TABLE (outcome text, events bigint) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT needing.outcome, count(event_id)
  FROM unnest(outcomes) AS needing (outcome)
  LEFT JOIN orders.payment_event AS event ON event.outcome = needing.outcome AND closed_at IS NULL
  GROUP BY needing.outcome ORDER BY needing.outcome
$$;
