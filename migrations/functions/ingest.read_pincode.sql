-- The PIN of a cell or of an address's last part; 000000 is none. The common spelling is read in line.
CREATE OR REPLACE FUNCTION ingest.read_pincode(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN v ~ '^[1-9][0-9]{5}($|-)' THEN left(v, 6) ELSE ingest.read_any_pincode(v) END
$$;
