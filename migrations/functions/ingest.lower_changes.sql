-- Lowers the day of changes of some records where it was later than the one that they were truly seen on: dates only, and
-- never upwards. The one change of history that a wrong day asks for.
CREATE OR REPLACE FUNCTION ingest.lower_changes(of_entity text, keys text[], to_day date) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  lowered bigint;
BEGIN
  UPDATE ingest.change h
  SET as_of = to_day,
      before = CASE WHEN h.before ->> 'closed_on' > to_day::text
                    THEN h.before || jsonb_build_object('closed_on', to_day) ELSE h.before END,
      after = CASE WHEN h.after ->> 'closed_on' > to_day::text
                   THEN h.after || jsonb_build_object('closed_on', to_day) ELSE h.after END
  FROM unnest(keys) AS k(key)
  WHERE h.entity = of_entity AND h.identifier = k.key AND h.as_of > to_day;
  GET DIAGNOSTICS lowered = ROW_COUNT;
  RETURN lowered;
END $$;
