-- The statement that adds changes of a register, as feed.count_cells takes them, to feed.record_count. Cells are written in one
-- order, so that no two writers wait for each other.
CREATE OR REPLACE FUNCTION feed.adding_counts(dataset text, changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    INSERT INTO feed.record_count AS kept (dataset, grain, period, state, status, business_type, class, records)
    SELECT %L, grain, period, state, status, business_type, class, records FROM (%s) AS cell
    ORDER BY grain, period, state, status, business_type, class
    ON CONFLICT (dataset, grain, period, state, status, business_type, class)
    DO UPDATE SET records = kept.records + excluded.records$statement$, dataset, feed.count_cells(changes))
$$;
