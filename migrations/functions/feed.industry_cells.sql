-- The statement that sorts changes of a register into the cells of feed.industry_count; `changes` is a select of state, status,
-- industry and how many records more or fewer.
CREATE OR REPLACE FUNCTION feed.industry_cells(changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    SELECT industry, state, status, sum(more) AS records FROM (%s) AS change (state, status, industry, more)
    GROUP BY industry, state, status HAVING sum(more) <> 0$statement$, changes)
$$;
