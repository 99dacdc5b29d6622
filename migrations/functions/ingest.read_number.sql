-- A whole number of up to nine digits, in those of any script; 12.0 is one, as spreadsheets write it.
CREATE OR REPLACE FUNCTION ingest.read_number(v text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ingest.ascii_form(v) ~ '^[0-9]{1,9}(\.0+)?$' THEN split_part(ingest.ascii_form(v), '.', 1)::integer END
$$;
