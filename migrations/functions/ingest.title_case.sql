-- A name in capitals or small letters as it is written on a letter: "North and Middle Andaman", "NTR", "SPSR Nellore", "St Mary's Nagar".
CREATE OR REPLACE FUNCTION ingest.title_case(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := initcap(v);
  word text;
BEGIN
  IF NOT ingest.has_odd_words(k) THEN RETURN k; END IF;
  FOREACH word IN ARRAY string_to_array(translate(k, '.,()-/''’', '        '), ' ') LOOP
    IF ingest.odd_words() -> word = '1' THEN k := regexp_replace(k, '\m' || word || '\M', upper(word), 'g'); END IF;
  END LOOP;
  k := replace(replace(k, ' And ', ' and '), ' Of ', ' of ');
  RETURN regexp_replace(k, '(?<=[[:alpha:]]{2}[''’])S\M', 's', 'g');
END
$$;
