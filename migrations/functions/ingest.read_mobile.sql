-- +91 and ten digits for an Indian mobile number in any of its spellings. The previous release reads contacts by it while both run;
-- it goes with the next one.
CREATE OR REPLACE FUNCTION ingest.read_mobile(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '+91' || substring(regexp_replace(v, '[^0-9]', '', 'g') FROM '^(?:0|91|0091|091)?([6-9][0-9]{9})$')
$$;
