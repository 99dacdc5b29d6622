-- +91 and ten digits for a number with its area code that is a landline in any reading; null for any other text, which
-- src/domain/contact reads. Of the codes that begin with 6 to 8 only those stand here whose numbers are never mobile ones, and
-- of numbers of one digit none. Every text that passes here is one that it takes for this landline:
-- test/integration/ingest/contacts.test.ts.
CREATE OR REPLACE FUNCTION ingest.plain_landline(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN found <> ALL ('{1111111111,2222222222,3333333333,4444444444,5555555555,1234567890}'::text[]) THEN '+91' || found END
  FROM substring(translate(v, ' -', '') FROM
    '^(?:0|\+?91)?([2-5][0-9]{9}|1(?:[1-3579][0-9]|[468][1-9])[0-9]{7}|(?:612|621|631|641|651|657|66[13]|67[14]|680|712|73[134]|75[15]|788|816|82[014]|83[126]|86[136]|870|87[78]|883)[2-6][0-9]{6})$') AS found
$$;
