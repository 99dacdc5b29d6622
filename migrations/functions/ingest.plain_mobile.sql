-- +91 and ten digits for a number whose first three digits are of mobile series alone; null for any other text, which
-- src/domain/contact reads. Every text that passes here is one that it takes for this mobile number:
-- test/integration/ingest/contacts.test.ts.
CREATE OR REPLACE FUNCTION ingest.plain_mobile(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '+91' || nullif(substring(translate(v, ' -', '') FROM '^(?:0|\+?91)?((?:6[09][0-9]|7[024][0-9]|8[45][0-9]|9[0-8][0-9]|99[0-8])[0-9]{7})$'), '9876543210')
$$;
