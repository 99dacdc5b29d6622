-- How many reported rows wait for an operator, by each of these reporters; of no use for learning which.
CREATE OR REPLACE FUNCTION orders.count_open_reports(reporters text[]) RETURNS TABLE (reporter text, reports bigint) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT asked.reporter, count(dispute_id)
  FROM unnest(reporters) AS asked (reporter)
  LEFT JOIN orders.dispute ON reported_by = asked.reporter AND status = 'open'
  GROUP BY asked.reporter ORDER BY asked.reporter
$$;
