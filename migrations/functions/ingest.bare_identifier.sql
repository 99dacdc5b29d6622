-- An identifier in ASCII digits, without blanks and characters of no width, as they are copied from web pages, and without the marks that keep a
-- spreadsheet from reading it as a number: ="00012345", '00012345.
CREATE OR REPLACE FUNCTION ingest.bare_identifier(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(ingest.ascii_form(v), '[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+|^=?["'']|"$', '', 'g')
$$;
