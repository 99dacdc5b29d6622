-- Trimmed text; null for empty cells, for a few separators alone, for NA in its spellings, and for a spreadsheet's errors.
CREATE OR REPLACE FUNCTION ingest.trimmed(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(v) <= 8
     AND upper(btrim(v, E' \t\r\n.,-')) IN ('', 'NA', 'N/A', '#N/A', 'N.A', 'NULL', 'NIL', 'NONE',
       '#VALUE!', '#REF!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!')
    THEN NULL
    ELSE nullif(btrim(v, E' \t\r\n'), '')
  END
$$;
