-- How many open records of each industry a register holds, by state and status, kept by every statement that writes one: a buyer sees
-- beside each industry how many records it would leave, and no question walks through a register. Of a company the industry is what
-- NIC says of its code, of a GST registration each heading of its HSN codes, so that one counts in several.
CREATE TABLE feed.industry_count (
  dataset                text NOT NULL CHECK (dataset IN ('company', 'gst')),
  industry               text,                  -- null where the register tells none
  state                  text,
  status                 text,
  records                bigint NOT NULL,
  CONSTRAINT industry_count_cell UNIQUE NULLS NOT DISTINCT (dataset, state, status, industry)
) WITH (fillfactor = 60);

-- Imports may be under way. From the moment in which their register is counted, each moves these counts, so the functions of the trigger stand
-- here whole, as first released, and the worker has its right to write; what they are now, stands in migrations/functions and roles/grants.sql.
DO $$
BEGIN
  IF to_regrole('panji_worker') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON feed.industry_count TO panji_worker;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION feed.counted_industries(OUT register text, OUT dataset text, OUT columns text, OUT beside text)
RETURNS SETOF record LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  VALUES ('registry.company', 'company', 'state, status, nic_description', ''),
         ('registry.gst_taxpayer', 'gst', 'state, status, heading',
          'CROSS JOIN LATERAL (SELECT DISTINCT left(code, 4) AS heading FROM unnest(hsn_codes) AS code WHERE length(code) >= 4) AS held')
$$;

CREATE OR REPLACE FUNCTION feed.industry_cells(changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    SELECT industry, state, status, sum(more) AS records FROM (%s) AS change (state, status, industry, more)
    GROUP BY industry, state, status HAVING sum(more) <> 0$statement$, changes)
$$;

CREATE OR REPLACE FUNCTION feed.adding_industries(dataset text, changes text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    INSERT INTO feed.industry_count AS kept (dataset, industry, state, status, records)
    SELECT %L, industry, state, status, records FROM (%s) AS cell
    ORDER BY state, status, industry
    ON CONFLICT (dataset, state, status, industry)
    DO UPDATE SET records = kept.records + excluded.records$statement$, dataset, feed.industry_cells(changes))
$$;

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

CREATE OR REPLACE FUNCTION feed.recount_industries(of_register text, of_rows text) RETURNS void LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN SELECT * FROM feed.counted_industries() AS of WHERE of.register = of_register LOOP
    DELETE FROM feed.industry_count AS kept WHERE kept.dataset = counted.dataset;
    EXECUTE format('INSERT INTO feed.industry_count (dataset, industry, state, status, records)
                    SELECT %L, industry, state, status, records FROM (%s) AS cell', counted.dataset,
      feed.industry_cells(format('SELECT %s, 1 FROM %s %s WHERE closed_on IS NULL', counted.columns, of_rows, counted.beside)));
  END LOOP;
END $$;

-- Readers go on meanwhile, writers wait.
LOCK TABLE registry.company, registry.gst_taxpayer IN SHARE ROW EXCLUSIVE MODE;
SELECT feed.recount_industries(register, register) FROM feed.counted_industries();
