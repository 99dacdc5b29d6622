-- The last day of a financial year of which no day is told: 2019, 2018-19.
CREATE OR REPLACE FUNCTION ingest.year_end(v text) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := ingest.ascii_form(v);
BEGIN
  IF k ~ '^(19|20)[0-9]{2}$' THEN RETURN make_date(k::integer, 3, 31); END IF;
  IF k ~ '^(19|20)[0-9]{2}-[0-9]{2}$' AND (left(k, 4)::integer + 1) % 100 = right(k, 2)::integer THEN
    RETURN make_date(left(k, 4)::integer + 1, 3, 31);
  END IF;
  RETURN NULL;
END
$$;
