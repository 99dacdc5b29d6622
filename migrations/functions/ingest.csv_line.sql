-- One record as CSV: what an operator fixes and ingests again. Null marks an empty cell that was not quoted.
CREATE OR REPLACE FUNCTION ingest.csv_line(VARIADIC cells text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(
    CASE
      WHEN cell IS NULL THEN ''
      WHEN cell = '' OR cell ~ '[",\r\n]' THEN '"' || replace(cell, '"', '""') || '"'
      ELSE cell
    END, ',' ORDER BY position)
  FROM unnest(cells) WITH ORDINALITY AS list(cell, position)
$$;
