-- The PAN inside a GSTIN, where its kind is issued on one.
CREATE OR REPLACE FUNCTION ingest.gstin_pan(gstin text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN substr(gstin, 3, 10) ~ '^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$'
     AND ingest.gstin_kind(gstin) IN ('normal', 'tcs', 'tds')
    THEN substr(gstin, 3, 10)
  END
$$;
