-- A CIN, LLPIN, FLLPIN or FCRN in its one spelling; null for what is none of them by grammar.
CREATE OR REPLACE FUNCTION ingest.company_id(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$' THEN v
    ELSE ingest.company_id_repaired(v)
  END
$$;
