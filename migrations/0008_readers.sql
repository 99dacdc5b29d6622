-- Cells that prove more than was read so far: GSTINs with letters typed for digits, dates whose order the file itself
-- shows, earlier identifiers of a company. And the day from which history is kept.

-- The GSTIN that a misread one must have been, where grammar and check digit prove exactly one reading. O and 0, I and 1
-- are exchanged only in places where the shape of a kind leaves no choice, and in the check digit.
CREATE FUNCTION ingest.gstin_mended(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := upper(regexp_replace(v, '\s+', '', 'g'));
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

-- DIN with its leading zeros, which spreadsheets strip, and without spaces.
CREATE OR REPLACE FUNCTION ingest.din(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[0-9]{1,8}$' THEN CASE WHEN v !~ '^0+$' THEN lpad(v, 8, '0') END
    ELSE lpad(substring(regexp_replace(v, '\s', '', 'g') FROM '^(?!0+$)[0-9]{1,8}$'), 8, '0')
  END
$$;

-- A day that exists, from 1600 on. The order of day and month is dmy, mdy, or undecided: then only those dates are read
-- that mean one day in either order.
CREATE OR REPLACE FUNCTION ingest.read_any_date(v text, field_order text) RETURNS date
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  y integer; m integer; d integer;
  parts text[];
BEGIN
  IF v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN
    y := left(v, 4)::integer; m := substr(v, 6, 2)::integer; d := right(v, 2)::integer;
  ELSE
    parts := regexp_match(v, '^([0-9]{1,4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,4})(?:[T ][0-9:.]+Z?)?$');
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
  RETURN make_date(y, m, d);
END
$$;

-- Which of day and month stands first in a date that begins with neither the year nor an unreadable part, as it shows by
-- itself: dmy, mdy, or either. Null for all other cells.
CREATE FUNCTION ingest.date_order(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts text[] := regexp_match(v, '^\s*([0-9]{1,2})[-/. ]([0-9]{1,2})[-/. ][0-9]{4}(?:[T ][0-9:.]+Z?)?\s*$');
  first integer := parts[1]::integer;
  second integer := parts[2]::integer;
BEGIN
  IF parts IS NULL OR least(first, second) NOT BETWEEN 1 AND 12 OR greatest(first, second) > 31 OR first = second THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN first > 12 THEN 'dmy' WHEN second > 12 THEN 'mdy' ELSE 'either' END;
END
$$;

-- Identifiers that a company had before, where a source shows them; null where none did.
ALTER TABLE registry.company ADD COLUMN previous_cins text[];
CREATE INDEX company_previous_cins ON registry.company USING gin (previous_cins) WHERE previous_cins IS NOT NULL;

-- Well-formed identifiers of a cell that lists them, in their canonical spelling and order, each once; null for none.
CREATE FUNCTION ingest.company_ids(v text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(id ORDER BY place)
  FROM (SELECT ingest.company_id(btrim(part)) AS id, min(place) AS place
        FROM regexp_split_to_table(v, '[,;|/]') WITH ORDINALITY AS parts(part, place) GROUP BY 1) named
  WHERE id IS NOT NULL
$$;

-- The day from which reads of the past are answered; what superseded values lay before it was thinned out.
CREATE TABLE ingest.history_retention (
  only_row               boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  retained_from          date NOT NULL,
  pruned_at              timestamptz NOT NULL DEFAULT now()
);
