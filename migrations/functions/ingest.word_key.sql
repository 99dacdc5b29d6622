-- The form in which spellings of a vocabulary are compared: small letters without spaces, punctuation and characters
-- of no width. A translation looks for each character in the whole list, so ASCII is spared the long one.
CREATE OR REPLACE FUNCTION ingest.word_key(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(translate(lower(v), CASE WHEN octet_length(v) = length(v) THEN ' .,-_()''/'
    ELSE E' .,-_()\'/\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff' END, ''), '&', 'and')
$$;
