-- Canonical CIN, LLPIN, FLLPIN or FCRN. What is canonical already is recognised in line; only the rest pays for a call.
CREATE OR REPLACE FUNCTION ingest.company_id_repaired(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := upper(ingest.bare_identifier(v));
BEGIN
  IF k ~ '^F?[A-Z]{3}[0-9]{4}$' THEN k := left(k, -4) || '-' || right(k, 4); END IF;
  IF k ~ '^([LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}|F?[A-Z]{3}-[0-9]{4}|F[0-9]{4,8})$' THEN RETURN k; END IF;
  RETURN NULL;
END
$$;
