-- A cell as all readers see it: trimmed, with spaces for blanks of every kind; null where it holds no value. ASCII pays for a comparison of lengths.
CREATE OR REPLACE FUNCTION ingest.clean(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(v) = length(v) THEN ingest.trimmed(v) ELSE ingest.trimmed(ingest.plain_blanks(v)) END
$$;
