-- What kind of taxpayer a GSTIN's shape is issued for; null where no shape fits, or no state has its first two digits. 25 and
-- 28 are former codes, 97 is the other territory, 99 the centre; 96 is only a place of supply.
CREATE OR REPLACE FUNCTION ingest.gstin_kind(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN left(v, 2) NOT BETWEEN '01' AND '38' AND left(v, 2) NOT IN ('97', '99') THEN NULL
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9ABE-J][0-9A-Z]$' THEN 'normal'
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]C[0-9A-Z]$' THEN 'tcs'
    WHEN v ~ '^[0-9]{2}[A-Z]{4}[A-Z0-9][0-9]{4}[A-Z][1-9A-Z]D[0-9A-Z]$' THEN 'tds'
    WHEN v ~ '^99[0-9]{2}[A-Z]{3}[0-9]{5}OS[0-9A-Z]$' THEN 'oidar'
    WHEN v ~ '^[0-9]{4}[A-Z]{3}[0-9]{5}NR[0-9A-Z]$' THEN 'nrtp'
    WHEN v ~ '^[0-9]{4}[A-Z]{3}[0-9]{5}[UO]N[A-Z0-9]$' THEN 'uin'
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]GP$' THEN 'practitioner'
    WHEN v ~ '^[0-9]{2}[A-Z]{4}[0-9]{5}[A-Z][0-9]Z[0-9]$' THEN 'government'
    WHEN v ~ '^[0-9]{12}TMP$' THEN 'temporary'
  END
$$;
