-- An address that cannot be read in two ways, in lower case; null for any other text, which src/domain/contact reads.
-- Every text that passes here is one that it takes, as it stands: test/integration/ingest/contacts.test.ts. The length keeps
-- every part within its bound, and what is nobody's is told apart beside: an expression that counts or looks ahead costs
-- PostgreSQL ten times as much.
CREATE OR REPLACE FUNCTION ingest.plain_email(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN length(v) > 62 OR v ~* '[.](?:con|comm|cmo|ocm|vom|xom|cpm)$' OR (v ~* '@gmail[.]' AND v !~* '@gmail[.]com$')
      OR v ~* '^(?:na|nil|no|none|null|noemail|nomail|notavailable|notapplicable|dummy|noreply|donotreply|no[._-]?(?:email|mail|reply)|abc|xyz|test|aaa|xxx)@'
    THEN NULL
    ELSE substring(lower(v) FROM '^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*[.])+[a-z]{2,12}$')
  END
$$;
