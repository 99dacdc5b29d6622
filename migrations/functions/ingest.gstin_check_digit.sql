-- The fifteenth character of a GSTIN, from the fourteen before it.
CREATE OR REPLACE FUNCTION ingest.gstin_check_digit(first14 text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  b bytea := first14::bytea;
  c integer;
  total integer := 0;
BEGIN
  FOR i IN 0..13 LOOP
    c := get_byte(b, i);
    c := CASE WHEN c >= 65 THEN c - 55 ELSE c - 48 END;
    -- Twice a value of 18 or more carries over in base 36: 2v - 36 + 1.
    total := total + CASE WHEN i % 2 = 0 THEN c WHEN c < 18 THEN 2 * c ELSE 2 * c - 35 END;
  END LOOP;
  RETURN substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (36 - total % 36) % 36 + 1, 1);
END
$$;
