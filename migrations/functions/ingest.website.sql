-- A web address with scheme and host in lower case and the rest as it stands; null for what names no host.
CREATE OR REPLACE FUNCTION ingest.website(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(v) <= 2000 AND v ~* '^(?:https?://)?(?:[[:alnum:]](?:[[:alnum:]-]*[[:alnum:]])?\.)+[[:alpha:]]{2,}\.?(?::[0-9]{1,5})?(?:[/?#][^[:space:][:cntrl:]]*)?$'
    THEN lower(substring(v FROM '^(?:[A-Za-z]+://)?[^/?#]*')) || substr(v, length(substring(v FROM '^(?:[A-Za-z]+://)?[^/?#]*')) + 1)
  END
$$;
