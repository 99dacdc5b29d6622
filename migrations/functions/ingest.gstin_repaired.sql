-- The GSTIN that a misread one must have been, where grammar and check digit prove exactly one reading. O and 0, I and 1
-- are exchanged only in places where the shape of a kind leaves no choice, and in the check digit.
CREATE OR REPLACE FUNCTION ingest.gstin_repaired(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := upper(ingest.bare_identifier(v));
  as_digits text;
  as_letters text;
  kinds text;
  first14 text;
  check_digit text;
  found text;
BEGIN
  IF k !~ '^[0-9A-Z]{15}$' OR k !~ '[O0I1]' THEN RETURN NULL; END IF;
  as_digits := translate(k, 'OI', '01');
  as_letters := translate(k, '01', 'OI');
  FOR kinds, first14 IN VALUES
    ('normal tcs tds', left(as_digits, 2) || substr(as_letters, 3, 5) || substr(as_digits, 8, 4) || substr(as_letters, 12, 1) || substr(k, 13, 2)),
    -- On a TAN, whose fifth character may be either.
    ('tds', left(as_digits, 2) || substr(as_letters, 3, 4) || substr(k, 7, 1) || substr(as_digits, 8, 4) || substr(as_letters, 12, 1) || substr(k, 13, 2)),
    ('government', left(as_digits, 2) || substr(as_letters, 3, 4) || substr(as_digits, 7, 5) || substr(as_letters, 12, 1) || substr(as_digits, 13, 1) || substr(k, 14, 1)),
    ('nrtp oidar uin', left(as_digits, 4) || substr(as_letters, 5, 3) || substr(as_digits, 8, 5) || substr(as_letters, 13, 2))
  LOOP
    check_digit := ingest.gstin_check_digit(first14);
    CONTINUE WHEN translate(check_digit, 'OI', '01') <> right(as_digits, 1)
      OR coalesce(strpos(kinds, ingest.gstin_kind(first14 || check_digit)), 0) = 0
      OR found = first14 || check_digit;
    IF found IS NOT NULL THEN RETURN NULL; END IF;
    found := first14 || check_digit;
  END LOOP;
  RETURN found;
END
$$;
