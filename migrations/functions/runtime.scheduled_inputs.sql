-- What each schedule fetches, in the form by which its runs are recognised. Requests may not read sealed addresses, so two
-- addresses that are shown the same differ by a digest of what is sealed.
CREATE OR REPLACE FUNCTION runtime.scheduled_inputs() RETURNS TABLE (name text, source text, input text) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.name, s.payload ->> 'source', concat_ws(' ', s.payload ->> 'input', md5(s.payload ->> 'sealed'))
  FROM runtime.schedule s
$$;
