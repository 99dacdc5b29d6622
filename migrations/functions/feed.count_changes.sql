-- Trigger of the registers that are counted, once per statement: what `went` out of the register and what `came` into it moves
-- feed.record_count and feed.industry_count in the same transaction, whoever wrote it and why. Cells are written in one order.
CREATE OR REPLACE FUNCTION feed.count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
  industries record;
  changes text;
BEGIN
  SELECT * INTO STRICT counted FROM feed.counted_columns() AS of
  WHERE of.register = format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM feed.record_count AS kept WHERE kept.dataset = counted.dataset;
    DELETE FROM feed.industry_count AS kept USING feed.counted_industries() AS of
    WHERE of.register = counted.register AND kept.dataset = of.dataset;
    RETURN NULL;
  END IF;
  EXECUTE feed.adding_counts(counted.dataset, feed.changes_of(TG_OP, counted.columns, ''));
  FOR industries IN SELECT * FROM feed.counted_industries() AS of WHERE of.register = counted.register ORDER BY of.dataset LOOP
    changes := feed.changes_of(TG_OP, industries.columns, industries.beside);
    EXECUTE feed.adding_industries(industries.dataset, changes);
  END LOOP;
  RETURN NULL;
END $$;
