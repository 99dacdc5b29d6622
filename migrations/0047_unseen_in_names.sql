-- Characters that nobody sees, copied from pages and documents, are nothing in the search form of a name, and the wide blank is one. The function stands
-- here whole, as first released; what it is now, stands in migrations/functions. An import that had been checked before writes the earlier form of
-- such a name, and the record keeps it until it changes.
CREATE OR REPLACE FUNCTION registry.name_key(name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- The first six are blanks; quotes, what no byte could be read as, and characters of no width leave nothing.
  unseen CONSTANT text := E'“”–—\u00a0\u3000’‘\ufffd\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff';
  k text := lower(name);
BEGIN
  IF k ~ '[^a-z0-9 ]' THEN
    IF octet_length(k) > length(k) THEN
      -- The dictionary is named with its schema, so that no search path changes what this immutable function returns.
      k := lower(public.unaccent('public.unaccent', translate(k, unseen, '      ')));
    END IF;
    IF k LIKE '%(%p%)%l%' THEN k := regexp_replace(k, '[(] *p[ .]*[)](?=[ .]*(ltd|limited)\M)', ' pvt ', 'g'); END IF;
    k := regexp_replace(k, '[].,"/(){}&_:;!?*+=#@%$^|\\~<>\t\n\r[-]+', ' ', 'g');
    k := replace(replace(k, '`', ''), '''', '');
  END IF;
  k := ' ' || k || ' ';
  IF k LIKE '%  %' THEN k := regexp_replace(k, ' {2,}', ' ', 'g'); END IF;
  -- Most names end like this and hold no other legal-form word.
  IF right(k, 17) = ' private limited ' THEN
    k := left(k, -16);
  ELSE
    IF k LIKE '% limited liability partnership %' THEN k := replace(k, ' limited liability partnership ', ' llp '); END IF;
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

-- Where there is none, nothing is written: the functions that a write of the registers calls may not be made yet.
DO $$
DECLARE
  unseen CONSTANT text := '[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\u3000\ufeff]';
BEGIN
  IF EXISTS (SELECT FROM registry.company WHERE name ~ unseen) THEN
    UPDATE registry.company SET name_key = registry.name_key(name) WHERE name ~ unseen AND name_key <> registry.name_key(name);
  END IF;
  IF EXISTS (SELECT FROM registry.gst_taxpayer WHERE coalesce(trade_name, legal_name) ~ unseen) THEN
    UPDATE registry.gst_taxpayer SET name_key = registry.name_key(coalesce(trade_name, legal_name))
    WHERE coalesce(trade_name, legal_name) ~ unseen AND name_key <> registry.name_key(coalesce(trade_name, legal_name));
  END IF;
  IF EXISTS (SELECT FROM registry.director WHERE full_name ~ unseen) THEN
    UPDATE registry.director SET name_key = registry.name_key(full_name) WHERE full_name ~ unseen AND name_key <> registry.name_key(full_name);
  END IF;
END
$$;
