-- A place as written on a letter, its words one blank apart: "Vasco Da Gama", "NTR". Edge punctuation and the name of the state behind it go; but New Delhi,
-- Old Goa, N. Delhi and State of Goa are names of their own, and what stands before the state's name there is no place.
CREATE OR REPLACE FUNCTION ingest.place_name(v text, state text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  k text := btrim(v, ' .,-''');
  before text;
BEGIN
  IF length(k) > length(state) AND right(lower(k), length(state)) = lower(state)
     AND substr(k, length(k) - length(state), 1) IN (' ', '-', '.', ',') THEN
    before := left(k, -length(state));
    -- Points of the compass alone, an age behind anything, or a word that only leads up to a name: "Malad West Maharashtra"
    -- is Malad West.
    IF before !~* ('(^|,)([ .-]*(north|south|east|west|central|outer|inner|upper|lower|greater|uttari?|dakshini?|po?o?u?rvi?|pas?h?chimi?|madhya'
                   '|\m(n|s|e|w|ne|nw|se|sw)\M))+[ .-]+$')
       AND before !~* '(^|[ .,-])(new|old|velha|nova|naya|nayi|nai|purana|purani|of)[ .-]+$'
       AND before !~* '(^|,)[ .-]*(near|nr|at|dist|distt|district|state|nct|u\.?t|capital)[ .-]+$' THEN
      k := btrim(before, ' .,-''');
    END IF;
  END IF;
  k := initcap(ingest.clean(k));
  IF strpos(k, '  ') > 0 THEN k := regexp_replace(k, ' {2,}', ' ', 'g'); END IF;
  -- Most names need nothing but their first letters, and a call for each would cost more than this.
  IF ingest.has_odd_words(k) THEN RETURN ingest.title_case(k); END IF;
  RETURN k;
END
$$;
