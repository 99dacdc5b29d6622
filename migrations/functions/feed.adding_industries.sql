-- As feed.adding_counts, of feed.industry_count.
CREATE OR REPLACE FUNCTION feed.adding_industries(dataset text, changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    INSERT INTO feed.industry_count AS kept (dataset, industry, state, status, records)
    SELECT %L, industry, state, status, records FROM (%s) AS cell
    ORDER BY state, status, industry
    ON CONFLICT (dataset, state, status, industry)
    DO UPDATE SET records = kept.records + excluded.records$statement$, dataset, feed.industry_cells(changes))
$$;
