-- The statement that sorts changes of a register into the cells of feed.record_count; `changes` is a select of day, state, status,
-- business type, class and how many records more or fewer. By day it tells states apart and no more, which keeps the days few
-- and leaves them alone where a status changes; by month and year it tells all of them.
CREATE OR REPLACE FUNCTION feed.count_cells(changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    WITH cell AS (
      SELECT grouping(month) = 1 AS is_day, day, month, state, status, business_type, class, sum(more) AS records
      FROM (SELECT day, date_trunc('month', day::timestamp)::date AS month, state, status, business_type, class, more
            FROM (%s) AS change (day, state, status, business_type, class, more)) AS dated
      GROUP BY GROUPING SETS ((day, state), (month, state, status, business_type, class)) HAVING sum(more) <> 0
    )
    SELECT 'day' AS grain, day AS period, state, status, business_type, class, records FROM cell WHERE is_day
    UNION ALL
    SELECT 'month', month, state, status, business_type, class, records FROM cell WHERE NOT is_day
    UNION ALL
    SELECT 'year', date_trunc('year', month::timestamp)::date AS year, state, status, business_type, class, sum(records)
    FROM cell WHERE NOT is_day GROUP BY year, state, status, business_type, class HAVING sum(records) <> 0$statement$, changes)
$$;
