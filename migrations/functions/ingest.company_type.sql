-- What kind of company an identifier is issued for, by its grammar.
CREATE OR REPLACE FUNCTION ingest.company_type(id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN length(id) = 21 THEN 'Company'
    WHEN id LIKE '____-%' THEN 'Foreign LLP'
    WHEN id LIKE '___-%' THEN 'LLP'
    WHEN id IS NOT NULL THEN 'Foreign Company'
  END
$$;
