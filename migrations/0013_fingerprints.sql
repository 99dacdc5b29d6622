-- What a row of a snapshot was when its record was last written: a refresh tells unchanged rows by it, before they are
-- checked. Null where it is not known; such a row is checked in full. No index: a refresh reads all of them at once.
ALTER TABLE registry.company      ADD COLUMN fingerprint bigint;
ALTER TABLE registry.gst_taxpayer ADD COLUMN fingerprint bigint;
ALTER TABLE registry.director     ADD COLUMN fingerprint bigint;
ALTER TABLE registry.directorship ADD COLUMN fingerprint bigint;
ALTER TABLE registry.contact      ADD COLUMN fingerprint bigint;
ALTER TABLE reference.tariff      ADD COLUMN fingerprint bigint;
ALTER TABLE reference.nic         ADD COLUMN fingerprint bigint;
ALTER TABLE reference.pincode     ADD COLUMN fingerprint bigint;

-- Most changes touch no indexed column; room in each page lets them stay there without a new entry in every index.
ALTER TABLE registry.company      SET (fillfactor = 90);
ALTER TABLE registry.gst_taxpayer SET (fillfactor = 90);
ALTER TABLE registry.director     SET (fillfactor = 90);
ALTER TABLE registry.contact      SET (fillfactor = 90);

-- The feeds read the registers themselves. A copy of each recent record beside the register cost a third of every
-- first load and had to be kept in step by every merge.
DROP TABLE feed.registration;
CREATE VIEW feed.registration AS
SELECT 'company' AS dataset, cin AS identifier, incorporated_on AS registered_on, state, district, pincode, status,
       company_type AS business_type, name_key
FROM registry.company WHERE closed_on IS NULL AND incorporated_on IS NOT NULL
UNION ALL
SELECT 'gst', gstin, registered_on, state, district, pincode, status, constitution, name_key
FROM registry.gst_taxpayer WHERE closed_on IS NULL AND registered_on IS NOT NULL
UNION ALL
SELECT 'director', din, approved_on, state, district, pincode, status, NULL, name_key
FROM registry.director WHERE closed_on IS NULL AND approved_on IS NOT NULL;

-- The newest of a state, which is what most feeds ask for.
CREATE INDEX company_recent_in_state ON registry.company (state, incorporated_on DESC, cin);
CREATE INDEX gst_recent_in_state ON registry.gst_taxpayer (state, registered_on DESC, gstin);
CREATE INDEX director_recent_in_state ON registry.director (state, approved_on DESC, din);

-- The same search form at a third of the cost: translate() over a long list of characters was most of it, and the
-- joining of broken words is tried only where their letters stand in the name at all.
CREATE OR REPLACE FUNCTION registry.name_key(name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := lower(name);
BEGIN
  IF k ~ '[^a-z0-9 ]' THEN
    IF octet_length(k) > length(k) THEN
      -- The dictionary is named with its schema, so that no search path changes what this immutable function returns.
      k := lower(public.unaccent('public.unaccent', translate(k, '“”–—' || chr(160) || '’‘' || chr(65533), '     ')));
    END IF;
    k := regexp_replace(k, '[].,"/(){}&_:;!?*+=#@%$^|\\~<>\t\n\r[-]+', ' ', 'g');
    k := replace(replace(k, '`', ''), '''', '');
  END IF;
  k := ' ' || k || ' ';
  IF k LIKE '%  %' THEN k := regexp_replace(k, ' {2,}', ' ', 'g'); END IF;
  -- Most names end like this and hold no other legal-form word.
  IF right(k, 17) = ' private limited ' THEN
    k := left(k, -16);
  ELSE
    IF replace(replace(k, ' private ', ' '), ' ', '') LIKE '%private%' THEN
      k := regexp_replace(k, ' p ?r ?i ?v ?a ?t ?e(?= )', ' private', 'g');
    END IF;
    IF replace(replace(k, ' limited ', ' '), ' ', '') LIKE '%limited%' THEN
      k := regexp_replace(k, ' l ?i ?m ?i ?t ?e ?d(?= )', ' limited', 'g');
    END IF;
  END IF;
  IF string_to_array(k, ' ') && '{private,pvt,limited,ltd,llp,opc,the,and}' THEN
    k := array_to_string(array_remove(array_remove(array_remove(array_remove(array_remove(array_remove(array_remove(
           array_remove(string_to_array(k, ' '), 'private'), 'pvt'), 'limited'), 'ltd'), 'llp'), 'opc'), 'the'), 'and'), ' ');
  END IF;
  RETURN btrim(k);
END
$$;
