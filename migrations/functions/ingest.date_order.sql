-- Which of day and month stands first in a date that begins with neither the year nor an unreadable part, as it shows by
-- itself: dmy, mdy, or either. Null for all other cells, and for a day that exists in no reading: it shows nothing.
CREATE OR REPLACE FUNCTION ingest.date_order(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts text[] := regexp_match(ingest.ascii_form(v), '^\s*''?([0-9]{1,2})(?: ?[-/.] ?| )([0-9]{1,2})(?: ?[-/.] ?| )([0-9]{4})(?:[T ][0-9:.]+(?: ?[AaPp][Mm])?(?:Z|[-+][0-9]{2}:?[0-9]{2})?)?\s*$');
  first integer := parts[1]::integer;
  second integer := parts[2]::integer;
  year text := parts[3];
BEGIN
  IF parts IS NULL OR least(first, second) NOT BETWEEN 1 AND 12 OR greatest(first, second) > 31 OR first = second THEN
    RETURN NULL;
  END IF;
  IF greatest(first, second) <= 12 THEN RETURN 'either'; END IF;
  IF ingest.read_any_date(concat_ws('-', year, least(first, second), greatest(first, second)), 'ymd') IS NULL THEN RETURN NULL; END IF;
  RETURN CASE WHEN first > 12 THEN 'dmy' ELSE 'mdy' END;
END
$$;
