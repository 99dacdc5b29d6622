-- The PIN of a cell or of an address's last part; 000000 is none. One in groups, or as a spreadsheet's power of ten, is read where each
-- of its digits is there: 4.03E+05 stands for a thousand of them.
CREATE OR REPLACE FUNCTION ingest.read_pincode(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[1-9][0-9]{5}($|-)' THEN left(v, 6)
    WHEN v ~ '^([1-9][0-9]{2}-[0-9]{3}(-[^0-9].*)?|[1-9][0-9]{2},[0-9]{3}|[1-9],[0-9]{2},[0-9]{3}|[1-9]\.[0-9]{5}[eE]\+?0?5)$'
    THEN left(regexp_replace(v, '[-,.]', '', 'g'), 6)
    ELSE substring(replace(v, ' ', '') FROM '(?:^|[^0-9])([1-9][0-9]{5})(?:[^0-9]|$)')
  END
$$;
