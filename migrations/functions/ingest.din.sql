-- DIN with its leading zeros, which spreadsheets strip, without the point that they add, and bare.
CREATE OR REPLACE FUNCTION ingest.din(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[0-9]{1,8}$' THEN CASE WHEN v !~ '^0+$' THEN lpad(v, 8, '0') END
    ELSE lpad(substring(ingest.bare_identifier(v) FROM '^(?!0+(?:\.|$))([0-9]{1,8})(?:\.0+)?$'), 8, '0')
  END
$$;
