-- The form in which spellings of a vocabulary are compared: small letters without spaces and punctuation.
CREATE OR REPLACE FUNCTION ingest.word_key(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(translate(lower(v), ' .,-_()''/', ''), '&', 'and')
$$;
