-- Code of goods without spaces, and without a spreadsheet's point. Codes have an even number of digits, and a spreadsheet takes zeros from the front alone:
-- five or seven digits have lost one.
CREATE OR REPLACE FUNCTION ingest.hsn_code(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(regexp_replace(regexp_replace(ingest.ascii_form(v), '\s|\.0+$', '', 'g'), '^([1-9](?:[0-9]{4}|[0-9]{6}))$', '0\1')
                   FROM '^(?:0[1-9]|[1-8][0-9]|9[0-8])(?:[0-9]{2}){0,3}$')
$$;
