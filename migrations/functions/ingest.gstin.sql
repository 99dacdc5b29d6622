-- Canonical GSTIN of a known shape whose check digit holds. Temporary and practitioner numbers have none.
CREATE OR REPLACE FUNCTION ingest.gstin(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := v;
  kind text := ingest.gstin_kind(k);
BEGIN
  IF kind IS NULL THEN
    k := upper(ingest.bare_identifier(v));
    kind := ingest.gstin_kind(k);
  END IF;
  IF kind IS NULL THEN RETURN NULL; END IF;
  IF kind NOT IN ('temporary', 'practitioner') AND right(k, 1) <> ingest.gstin_check_digit(left(k, 14)) THEN
    RETURN NULL;
  END IF;
  RETURN k;
END
$$;
