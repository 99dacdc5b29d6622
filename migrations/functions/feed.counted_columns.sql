-- Which registers are counted in feed.record_count, and by which of their columns: the day of registration, the state, the status, the
-- business type and the class, as expressions over a row of the register.
CREATE OR REPLACE FUNCTION feed.counted_columns(OUT register text, OUT dataset text, OUT columns text)
RETURNS SETOF record LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  VALUES ('registry.company', 'company', 'incorporated_on, state, status, company_type, class'),
         ('registry.gst_taxpayer', 'gst', 'registered_on, state, status, constitution, NULL::text'),
         ('registry.director', 'director', 'approved_on, state, status, NULL::text, NULL::text')
$$;
