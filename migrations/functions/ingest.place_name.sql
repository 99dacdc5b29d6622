-- A place as written on a letter: "Vasco Da Gama". Edge punctuation and the trailing name of the state go.
-- PL/pgSQL, because a SQL function whose argument is long and used often is called anew for each row, at five times the cost.
CREATE OR REPLACE FUNCTION ingest.place_name(v text, state text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  k text := btrim(v, ' .-''');
BEGIN
  IF right(lower(k), length(state) + 1) IN (' ' || lower(state), '-' || lower(state), '.' || lower(state)) THEN
    k := btrim(left(k, -length(state)), ' .-''');
  END IF;
  RETURN initcap(ingest.clean(k));
END
$$;
