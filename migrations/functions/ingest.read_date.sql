-- The common spellings, on a day that every month has, are read in line: the day as ISO writes it, and as the registrars do where
-- the file's dates stand in that order.
CREATE OR REPLACE FUNCTION ingest.read_date(v text, field_order text) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^(1[6-9]|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$'
    THEN make_date(left(v, 4)::integer, substr(v, 6, 2)::integer, right(v, 2)::integer)
    WHEN field_order = 'dmy' AND v ~ '^(0[1-9]|1[0-9]|2[0-8])[-/](0[1-9]|1[0-2])[-/](1[6-9]|[2-9][0-9])[0-9]{2}$'
    THEN make_date(right(v, 4)::integer, substr(v, 4, 2)::integer, left(v, 2)::integer)
    ELSE ingest.read_any_date(v, field_order)
  END
$$;
