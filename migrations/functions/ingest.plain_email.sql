-- An address that cannot be read in two ways, in lower case; null for any other text, which src/domain/contact reads.
-- Every text that passes here is one that it takes, as it stands: test/integration/ingest/contacts.test.ts.
CREATE OR REPLACE FUNCTION ingest.plain_email(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(lower(v) FROM '^(?!(?:na|nil|no|none|null|noemail|nomail|notavailable|notapplicable|dummy|noreply|donotreply|no[._-]?(?:email|mail|reply))@)(?!(?:abc|xyz|test|aaa|xxx)@(?:abc|xyz|test|aaa|xxx)[.])(?!.*@gmail[.](?!com$))(?!.*[.](?:con|comm|cmo|ocm|vom|xom|cpm)$)[a-z0-9]{1,20}(?:[._-][a-z0-9]{1,20}){0,2}@(?:[a-z0-9]{1,20}(?:-[a-z0-9]{1,20})?\.){1,3}[a-z]{2,12}$')
$$;
