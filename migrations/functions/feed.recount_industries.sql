-- What feed.recount does of feed.industry_count; the caller holds writers off. Of a table that was just filled the planner knows
-- nothing, and would sort all of its rows where a hash table of the cells does. The cells are found by a statement that writes no table
-- of the database, so that several processes read.
CREATE OR REPLACE FUNCTION feed.recount_industries(of_register text, of_rows text) RETURNS void LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN SELECT * FROM feed.counted_industries() AS of WHERE of.register = of_register LOOP
    DELETE FROM feed.industry_count AS kept WHERE kept.dataset = counted.dataset;
    EXECUTE format('CREATE TEMPORARY TABLE found_industry ON COMMIT DROP AS %s',
      feed.industry_cells(format('SELECT %s, 1 FROM %s %s WHERE closed_on IS NULL', counted.columns, of_rows, counted.beside)));
    EXECUTE format('INSERT INTO feed.industry_count (dataset, industry, state, status, records)
                    SELECT %L, industry, state, status, records FROM pg_temp.found_industry', counted.dataset);
    DROP TABLE pg_temp.found_industry;
  END LOOP;
END $$;
