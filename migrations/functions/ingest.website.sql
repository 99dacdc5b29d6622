-- A web address with scheme and host in lower case and the rest as it stands; null for what names no host. The first of
-- several counts, and a scheme that is misspelt or stands there twice is read once.
CREATE OR REPLACE FUNCTION ingest.website(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(v) <= 2000 AND site ~* '^(?:https?://)?(?:[[:alnum:]](?:[[:alnum:]-]*[[:alnum:]])?\.)+[[:alpha:]]{2,}\.?(?::[0-9]{1,5})?(?:[/?#][^[:space:][:cntrl:]]*)?$'
    THEN lower(substring(site FROM '^(?:[A-Za-z]+://)?[^/?#]*')) || substr(site, length(substring(site FROM '^(?:[A-Za-z]+://)?[^/?#]*')) + 1)
  END
  FROM regexp_replace(v, '[\u200B-\u200D\u2060\uFEFF]', '', 'g') AS seen,
       regexp_replace(seen, '[[:space:]]*[,;|[:space:]][[:space:]]*(?=https?:|www\.).*$', '', 'i') AS single,
       regexp_replace(single, '^(?:https?:?/{1,2})*(https?):?/{1,2}(?=[[:alnum:]])', '\1://', 'i') AS site
$$;
