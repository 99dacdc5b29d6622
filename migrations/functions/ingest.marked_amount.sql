-- An amount in the digits of another script, or between the marks that letters and spreadsheets put around one: an apostrophe, the sign or the
-- name of the rupee on either side, a plus, a stroke or a point behind it; and one in groups that blanks divide. Null without any.
CREATE OR REPLACE FUNCTION ingest.marked_amount(v text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN bare ~ '^[0-9]{1,3}( [0-9]{2,3})* [0-9]{3}(\.[0-9]{1,20})?$' AND length(bare) <= 30 THEN replace(bare, ' ', '')::numeric
    WHEN bare <> v THEN ingest.read_amount(bare)
  END
  FROM regexp_replace(ingest.ascii_form(v), '^''|^''?(?:₹|rs|inr|rupees?)\.?[\s\u00A0]*|^''?\+(?=[0-9])|[\s\u00A0]*(?:/[-=]?|(?:rs|inr|rupees?)\.?)$|(?<=[0-9])\.$', '', 'gi') AS marked,
    translate(marked, E'\u00a0\u202f\u2009', '   ') AS bare
$$;
