-- The PIN of a cell or of an address's last part; 000000 is none.
CREATE OR REPLACE FUNCTION ingest.read_pincode(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[1-9][0-9]{5}($|-)' THEN left(v, 6)
    ELSE substring(replace(v, ' ', '') FROM '(?:^|[^0-9])([1-9][0-9]{5})(?:[^0-9]|$)')
  END
$$;
