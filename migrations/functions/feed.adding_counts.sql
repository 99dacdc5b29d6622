-- The statement that adds changes of a register to feed.record_count; `changes` is a select of day, state, status, business type,
-- class and how many records more or fewer. Cells are written in one order, so that no two writers wait for each other.
CREATE OR REPLACE FUNCTION feed.adding_counts(dataset text, changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    INSERT INTO feed.record_count AS kept (dataset, grain, period, state, status, business_type, class, records)
    SELECT %L, grain, place, state, status, business_type, class, sum(more)
    FROM (SELECT day, state, status, business_type, class, sum(more) AS more
          FROM (%s) AS change (day, state, status, business_type, class, more)
          GROUP BY 1, 2, 3, 4, 5 HAVING sum(more) <> 0) AS cell
      CROSS JOIN LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date), ('year', date_trunc('year', day)::date)) AS of_grain (grain, place)
    GROUP BY 2, 3, 4, 5, 6, 7 HAVING sum(more) <> 0 ORDER BY 2, 3, 4, 5, 6, 7
    ON CONFLICT (dataset, grain, period, state, status, business_type, class)
    DO UPDATE SET records = kept.records + excluded.records$statement$, dataset, changes)
$$;
