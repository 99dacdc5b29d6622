-- Text whose blanks are all spaces (a no-break space is one), without characters of no width at its ends. The two joiners are part of
-- a syllable where the text has letters of an Indian script or of Urdu; elsewhere they only hide.
CREATE OR REPLACE FUNCTION ingest.plain_blanks(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := translate(v, E'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', repeat(' ', 16));
  unseen CONSTANT text := '[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+';
  unseen_but_joiners CONSTANT text := '[\s\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+';
BEGIN
  IF k !~ unseen THEN RETURN k; END IF;
  IF k ~ '[\u0600-\u06ff\u0900-\u0dff]' THEN RETURN regexp_replace(k, '^' || unseen_but_joiners || '|' || unseen_but_joiners || '$', '', 'g'); END IF;
  RETURN regexp_replace(k, '^' || unseen || '|' || unseen || '$', '', 'g');
END
$$;
