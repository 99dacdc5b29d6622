-- An address or a number in the form in which contacts are kept, to be compared with them: an address in lower case, a
-- number in E.164, Indian unless it names its country. Whether it can be reached is another question.
CREATE OR REPLACE FUNCTION ingest.contact_value(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[^@[:space:]]{1,64}@[^@[:space:]]{1,255}$' THEN lower(v)
    WHEN v ~ '^\+(?!91)[1-9][0-9 ()-]{6,24}$' THEN translate(v, ' ()-', '')
    ELSE '+91' || substring(translate(ingest.ascii_form(v), ' ()-', '') FROM '^(?:\+?91|0091|0)?([1-9][0-9]{9})(?:\.0+)?$')
  END
$$;
