-- Whether a moment lies within hours of the day in India, `20:00-06:00`; null means all of them.
CREATE OR REPLACE FUNCTION deliver.within_hours(p_hours text, p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_hours IS NULL THEN true
    WHEN left(p_hours, 5) < right(p_hours, 5) THEN clock.now >= left(p_hours, 5) AND clock.now < right(p_hours, 5)
    ELSE clock.now >= left(p_hours, 5) OR clock.now < right(p_hours, 5) END
  FROM (SELECT to_char(p_at AT TIME ZONE 'Asia/Kolkata', 'HH24:MI') AS now) AS clock
$$;
