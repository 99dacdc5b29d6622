-- The instant at which a day begins in India: the first that runtime.indian_day says is of that day.
CREATE OR REPLACE FUNCTION runtime.indian_midnight(day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT day::timestamp AT TIME ZONE 'Asia/Kolkata'
$$;
