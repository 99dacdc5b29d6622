-- Trigger of the registers that are counted, once per statement: what `went` out of the register and what `came` into it moves
-- feed.record_count in the same transaction, whoever wrote it and why.
CREATE OR REPLACE FUNCTION feed.count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
  changes text[] := '{}';
BEGIN
  SELECT * INTO STRICT counted FROM feed.counted_columns() AS of
  WHERE of.register = format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM feed.record_count AS kept WHERE kept.dataset = counted.dataset;
    RETURN NULL;
  END IF;
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    changes := changes || format('SELECT %s, -1 FROM went WHERE closed_on IS NULL', counted.columns);
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    changes := changes || format('SELECT %s, 1 FROM came WHERE closed_on IS NULL', counted.columns);
  END IF;
  EXECUTE feed.adding_counts(counted.dataset, array_to_string(changes, ' UNION ALL '));
  RETURN NULL;
END $$;
