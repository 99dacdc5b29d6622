-- The cells of feed.industry_count that are not what the register holds: none unless somebody wrote one past its triggers.
CREATE OR REPLACE FUNCTION feed.miscounted_industries(of_dataset text)
RETURNS TABLE (industry text, state text, status text, kept bigint, found bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN SELECT of.* FROM feed.counted_industries() AS of JOIN feed.counted_columns() AS known ON known.register = of.register
                 WHERE known.dataset = of_dataset LOOP
    RETURN QUERY EXECUTE format($statement$
      SELECT industry, state, status, sum(kept)::bigint, sum(found)::bigint
      FROM (
        SELECT industry, state, status, records AS kept, 0 AS found FROM feed.industry_count WHERE dataset = %L
        UNION ALL
        SELECT industry, state, status, 0, records FROM (%s) AS cell
      ) AS both_sides
      GROUP BY 1, 2, 3 HAVING sum(kept) <> sum(found)$statement$, counted.dataset,
      feed.industry_cells(format('SELECT %s, 1 FROM %s %s WHERE closed_on IS NULL', counted.columns, counted.register, counted.beside)));
  END LOOP;
END $$;
