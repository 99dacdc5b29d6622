-- The cells of feed.record_count that are not what the register holds: none unless somebody wrote one past its triggers.
CREATE OR REPLACE FUNCTION feed.miscounted(of_dataset text)
RETURNS TABLE (grain text, period date, state text, status text, business_type text, class text, kept bigint, found bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted record;
BEGIN
  SELECT * INTO STRICT counted FROM feed.counted_columns() AS of WHERE of.dataset = of_dataset;
  RETURN QUERY EXECUTE format($statement$
    SELECT grain, period, state, status, business_type, class, sum(kept)::bigint, sum(found)::bigint
    FROM (
      SELECT grain, period, state, status, business_type, class, records AS kept, 0 AS found
      FROM feed.record_count WHERE dataset = %L
      UNION ALL
      SELECT grain, period, state, status, business_type, class, 0, records FROM (%s) AS cell
    ) AS both_sides
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(kept) <> sum(found)$statement$, of_dataset,
    feed.count_cells(format('SELECT %s, 1 FROM %s WHERE closed_on IS NULL', counted.columns, counted.register)));
END $$;
