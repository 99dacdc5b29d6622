-- Code of services without spaces and a spreadsheet's point: chapter 99, heading or service.
CREATE OR REPLACE FUNCTION ingest.sac_code(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(regexp_replace(ingest.ascii_form(v), '\s|\.0+$', '', 'g') FROM '^99(?:[0-9]{2}){0,2}$')
$$;
