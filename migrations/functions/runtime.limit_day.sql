-- The day by which daily limits are counted. It is that of UTC, not of India: the API's contract tells its end in UTC.
CREATE OR REPLACE FUNCTION runtime.limit_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (at AT TIME ZONE 'UTC')::date
$$;
