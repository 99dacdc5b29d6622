-- A PIN in the digits of any script. One in groups, or as a spreadsheet's power of ten, is read where each of its digits is there:
-- 4.03E+05 stands for a thousand of them. Within other text six digits stand together, or three and three: of `SECTOR 12 3456` none is a PIN.
CREATE OR REPLACE FUNCTION ingest.read_any_pincode(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := ingest.ascii_form(v);
BEGIN
  IF k ~ '^([1-9][0-9]{2}-[0-9]{3}(-[^0-9].*)?|[1-9][0-9]{2},[0-9]{3}|[1-9],[0-9]{2},[0-9]{3}|[1-9]\.[0-9]{5}[eE]\+?0?5)$' THEN
    RETURN left(regexp_replace(k, '[-,.]', '', 'g'), 6);
  END IF;
  IF k ~ '^[0-9 ]+$' AND replace(k, ' ', '') ~ '^[1-9][0-9]{5}$' THEN RETURN replace(k, ' ', ''); END IF;
  RETURN coalesce(
    substring(k FROM '(?:^|[^0-9])([1-9][0-9]{5})(?:[^0-9]|$)'),
    regexp_replace(substring(k FROM '(?:^|[^0-9])([1-9][0-9]{2} +[0-9]{3})(?:[^0-9]|$)'), ' +', ''));
END
$$;
