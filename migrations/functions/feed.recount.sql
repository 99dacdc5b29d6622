-- Counts the records of a register anew into feed.record_count and feed.industry_count, or those of a table that is about to take its
-- place; of what is not counted it does nothing. Where it counts the register, writers wait until the caller's transaction ends. Repeated, it
-- changes nothing.
CREATE OR REPLACE FUNCTION feed.recount(of_register text, of_rows text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN SELECT * FROM feed.counted_columns() AS of WHERE of.register = of_register LOOP
    IF of_rows IS NULL THEN
      EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', counted.register);
    END IF;
    DELETE FROM feed.record_count AS kept WHERE kept.dataset = counted.dataset;
    EXECUTE format('INSERT INTO feed.record_count (dataset, grain, period, state, status, business_type, class, records)
                    SELECT %L, grain, period, state, status, business_type, class, records FROM (%s) AS cell', counted.dataset,
      feed.count_cells(format('SELECT %s, 1 FROM %s WHERE closed_on IS NULL', counted.columns, coalesce(of_rows, counted.register))));
    PERFORM feed.recount_industries(counted.register, coalesce(of_rows, counted.register));
  END LOOP;
END $$;
