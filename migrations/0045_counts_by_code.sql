-- Each HSN code of a GST registration is counted beside its heading, by state and status: how many registrations hold one good, or do in a state, is
-- a sum of these, and no longer a look at each of them.
ALTER TABLE feed.industry_count DROP CONSTRAINT industry_count_dataset_check;
ALTER TABLE feed.industry_count ADD CHECK (dataset IN ('company', 'gst', 'gst_code'));

-- Imports may be under way. From the moment in which the register is counted, each moves these counts, so the functions of the trigger stand
-- here whole, as first released; what they are now, stands in migrations/functions.
CREATE OR REPLACE FUNCTION feed.counted_industries(OUT register text, OUT dataset text, OUT columns text, OUT beside text)
RETURNS SETOF record LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  VALUES ('registry.company', 'company', 'state, status, nic_description', ''),
         ('registry.gst_taxpayer', 'gst', 'state, status, heading',
          'CROSS JOIN LATERAL (SELECT DISTINCT left(code, 4) AS heading FROM unnest(hsn_codes) AS code WHERE length(code) >= 4) AS held'),
         ('registry.gst_taxpayer', 'gst_code', 'state, status, code',
          'CROSS JOIN LATERAL (SELECT DISTINCT code FROM unnest(hsn_codes) AS code) AS held')
$$;

CREATE OR REPLACE FUNCTION feed.changes_of(operation text, columns text, beside text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(format('SELECT %s, %s FROM %s %s WHERE closed_on IS NULL', columns, more, rows, beside), ' UNION ALL ' ORDER BY more)
  FROM (VALUES ('went', -1, '{UPDATE,DELETE}'::text[]), ('came', 1, '{INSERT,UPDATE}'::text[])) AS side (rows, more, operations)
  WHERE operation = ANY (operations)
$$;

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

-- Readers go on meanwhile, writers wait.
LOCK TABLE registry.gst_taxpayer IN SHARE ROW EXCLUSIVE MODE;
SELECT feed.recount_industries('registry.gst_taxpayer', 'registry.gst_taxpayer');
