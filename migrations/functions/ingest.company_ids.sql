-- Well-formed identifiers of a cell that lists them, in their canonical spelling and order, each once; null for none.
CREATE OR REPLACE FUNCTION ingest.company_ids(v text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(id ORDER BY place)
  FROM (SELECT ingest.company_id(btrim(part)) AS id, min(place) AS place
        FROM regexp_split_to_table(v, '[,;|/]') WITH ORDINALITY AS parts(part, place) GROUP BY 1) named
  WHERE id IS NOT NULL
$$;
