-- An amount in the digits of another script, or between the marks that letters put around one: the sign or the name of the rupee, and a stroke behind
-- it. Null without any.
CREATE OR REPLACE FUNCTION ingest.marked_amount(v text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN bare <> v THEN ingest.read_amount(bare) END
  FROM regexp_replace(ingest.ascii_form(v), '^(?:₹|rs|inr)\.?[\s\u00A0]*|\s*/[-=]?$', '', 'gi') AS bare
$$;
