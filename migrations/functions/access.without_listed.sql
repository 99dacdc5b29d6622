-- Columns of a contact or a company, as a change of the history holds them, without the addresses and numbers that are on the
-- suppression list. A value that has nothing of the kind comes back as it is.
CREATE OR REPLACE FUNCTION access.without_listed(columns jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE
    WHEN key IN ('email', 'mobile', 'phone') THEN
      CASE WHEN access.on_list(CASE key WHEN 'email' THEN 'email' ELSE 'mobile' END, value #>> '{}') THEN 'null'::jsonb ELSE value END
    WHEN key IN ('emails', 'mobiles', 'landlines') AND jsonb_typeof(value) = 'array' THEN
      (SELECT coalesce(jsonb_agg(each), 'null') FROM jsonb_array_elements(value) AS each
       WHERE NOT access.on_list(CASE key WHEN 'emails' THEN 'email' ELSE 'mobile' END, each #>> '{}'))
    ELSE value
  END), $1)
  FROM jsonb_each($1)
$$;
