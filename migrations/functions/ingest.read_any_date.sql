-- A day that exists, from 1600 on. The order of day and month is dmy, mdy, or undecided: then only those dates are read
-- that mean one day in either order, as those do whose month is a word (02-Jan-2020) and eight digits (20200102). A time
-- behind the day is passed over: the day is the one that is written. With its offset it is a moment, and the day is that of India:
-- 2020-01-01T18:30:00Z is how programs write midnight of the 2nd there.
CREATE OR REPLACE FUNCTION ingest.read_any_date(v text, field_order text) RETURNS date
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  y integer; m integer; d integer;
  word text;
  parts text[];
  clock text[];
BEGIN
  -- An apostrophe keeps a spreadsheet from reading the cell.
  v := regexp_replace(ingest.ascii_form(v), '^''', '');
  IF v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN
    y := left(v, 4)::integer; m := substr(v, 6, 2)::integer; d := right(v, 2)::integer;
  ELSIF v ~ '^[0-9]{8}$' THEN
    y := left(v, 4)::integer; m := substr(v, 5, 2)::integer; d := right(v, 2)::integer;
  ELSIF v ~ '[A-Za-z]{3}' THEN
    parts := regexp_match(v, '^([0-9]{1,2})(?:st|nd|rd|th)?[-/., ]{0,2}([A-Za-z]{3,9})[-/., ]{0,2}([0-9]{4})(?:[T ][0-9:.]+(?: ?[AaPp][Mm])?)?$');
    IF parts IS NULL THEN
      parts := regexp_match(v, '^([A-Za-z]{3,9})[-/. ]{1,2}([0-9]{1,2})(?:st|nd|rd|th)?[-/, ]{1,2}([0-9]{4})$');
      parts := ARRAY[parts[2], parts[1], parts[3]];
    END IF;
    IF parts[1] IS NULL THEN
      parts := regexp_match(v, '^([0-9]{4})[-/. ]([A-Za-z]{3,9})[-/. ]([0-9]{1,2})$');
      IF parts IS NULL THEN RETURN NULL; END IF;
      parts := ARRAY[parts[3], parts[2], parts[1]];
    END IF;
    d := parts[1]::integer; y := parts[3]::integer; word := lower(parts[2]);
    SELECT position INTO m
    FROM unnest(ARRAY['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
      'november', 'december']) WITH ORDINALITY months(name, position)
    WHERE starts_with(name, word);
    IF m IS NULL THEN RETURN NULL; END IF;
  ELSE
    parts := regexp_match(v, '^([0-9]{1,4})(?: ?[-/.] ?| )([0-9]{1,2})(?: ?[-/.] ?| )([0-9]{1,4})(?:[T ][0-9:.]+(?: ?[AaPp][Mm])?(?:Z|[-+][0-9]{2}:?[0-9]{2})?)?$');
    IF parts IS NULL THEN RETURN NULL; END IF;
    IF length(parts[1]) = 4 THEN
      y := parts[1]::integer; m := parts[2]::integer; d := parts[3]::integer;
    ELSIF length(parts[3]) <> 4 OR length(parts[1]) > 2 THEN
      RETURN NULL;
    ELSE
      d := parts[1]::integer; m := parts[2]::integer; y := parts[3]::integer;
      IF field_order = 'undecided' AND d <= 12 AND m <= 12 AND d <> m THEN RETURN NULL; END IF;
      IF field_order = 'mdy' OR field_order = 'undecided' AND m > 12 THEN
        m := parts[1]::integer; d := parts[2]::integer;
      END IF;
    END IF;
  END IF;
  IF y < 1600 OR m < 1 OR m > 12 OR d < 1 OR d > 31 THEN RETURN NULL; END IF;
  IF d > 28 AND d > (CASE
      WHEN m IN (4, 6, 9, 11) THEN 30
      WHEN m <> 2 THEN 31
      WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29
      ELSE 28
    END) THEN RETURN NULL; END IF;
  clock := regexp_match(v, '[T ]([01]?[0-9]|2[0-3]):([0-5][0-9])[0-9:.]*(?:Z|([-+][0-9]{2}):?([0-5][0-9]))$');
  IF clock IS NULL THEN RETURN make_date(y, m, d); END IF;
  -- Minutes since midnight there, and then here: India is 330 ahead of UTC.
  RETURN make_date(y, m, d) + floor((clock[1]::integer * 60 + clock[2]::integer + 330
    - coalesce(clock[3]::integer * 60 + (left(clock[3], 1) || clock[4])::integer, 0)) / 1440.0)::integer;
END
$$;
