-- Whether a name with a capital at each word has one of ingest.odd_words. Asked of the keys of an object: a regular expression of so many words, or an
-- array of them, would cost more than the rest of the row.
CREATE OR REPLACE FUNCTION ingest.has_odd_words(k text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN strpos(k, ' ') = 0 AND strpos(k, '-') = 0 AND strpos(k, '''') = 0 THEN ingest.odd_words() ? k
    WHEN k ~ '[-.,()/''’]' THEN ingest.odd_words() ?| string_to_array(translate(k, '.,()-/''’', '        '), ' ')
    ELSE ingest.odd_words() ?| string_to_array(k, ' ')
  END
$$;
