-- When an order that is paid now is delivered to a destination with this `deliver`: at once, or at its next time of day in India; null
-- means not automatically.
CREATE OR REPLACE FUNCTION deliver.next_delivery(p_deliver text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_deliver = 'automatic' THEN now()
    -- The cast is inside the CASE, which keeps it from words such as `manual`.
    WHEN p_deliver LIKE '__:__' THEN
      (day.start + p_deliver::time + CASE WHEN day.start + p_deliver::time <= day.now THEN interval '1 day' ELSE '0' END)
        AT TIME ZONE 'Asia/Kolkata' END
  FROM (SELECT now() AT TIME ZONE 'Asia/Kolkata' AS now, runtime.indian_day(now())::timestamp AS start) AS day
$$;
