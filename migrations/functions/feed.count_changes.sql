-- Trigger of the registers that are counted, once per statement: what `went` out of the register and what `came` into it moves
-- feed.record_count and feed.industry_count in the same transaction, whoever wrote it and why. Cells are written in one order.
CREATE OR REPLACE FUNCTION feed.count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
  industries record;
  side record;
  changes text[] := '{}';
  moved text[] := '{}';
BEGIN
  SELECT * INTO STRICT counted FROM feed.counted_columns() AS of
  WHERE of.register = format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
  SELECT * INTO industries FROM feed.counted_industries() AS of WHERE of.dataset = counted.dataset;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM feed.record_count AS kept WHERE kept.dataset = counted.dataset;
    DELETE FROM feed.industry_count AS kept WHERE kept.dataset = counted.dataset;
    RETURN NULL;
  END IF;
  FOR side IN SELECT * FROM (VALUES ('went', -1, '{UPDATE,DELETE}'::text[]), ('came', 1, '{INSERT,UPDATE}'::text[])) AS of (rows, more, operations)
              WHERE TG_OP = ANY (of.operations) LOOP
    changes := changes || format('SELECT %s, %s FROM %s WHERE closed_on IS NULL', counted.columns, side.more, side.rows);
    moved := moved || format('SELECT %s, %s FROM %s %s WHERE closed_on IS NULL', industries.columns, side.more, side.rows, industries.beside);
  END LOOP;
  EXECUTE feed.adding_counts(counted.dataset, array_to_string(changes, ' UNION ALL '));
  IF industries.dataset IS NOT NULL THEN
    EXECUTE feed.adding_industries(industries.dataset, array_to_string(moved, ' UNION ALL '));
  END IF;
  RETURN NULL;
END $$;
