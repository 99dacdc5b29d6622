-- The search form of a company, trade or person name: one spelling for what people write in many ways.
-- Used at ingest for name_key and at query time for the words searched; both must stay the same function.
-- Case, accents, punctuation, `&`/AND and legal-form words go, among them those of (P) LTD and of LIMITED LIABILITY PARTNERSHIP.
-- Sources broke names at 40 characters ("PRI VATE LIMITED"); the pieces are joined again. PL/pgSQL on replace(), because three regular expressions per
-- name cost more than writing the row.
-- A translate() over a long list of characters would be most of its cost, so words that break are joined only where their
-- letters stand in the name at all.
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
