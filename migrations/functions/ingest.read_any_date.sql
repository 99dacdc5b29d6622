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
