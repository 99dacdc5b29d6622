-- May this value not leave? Where an entry was hashed under a key that is lost, nobody knows whom it means, and nothing
-- leaves until it is removed. A connection without a key may ask as long as the list is empty, and fails from then on.
CREATE OR REPLACE FUNCTION access.suppressed(kind text, value text) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_variable
DECLARE
  own_key text;
  asked bytea;
BEGIN
  IF value IS NULL OR NOT EXISTS (SELECT FROM access.suppression) THEN RETURN false; END IF;
  asked := access.suppression_hash(kind, value);
  IF EXISTS (SELECT FROM access.suppression s WHERE s.hash = asked) THEN RETURN true; END IF;
  -- The ends of the index: an inequality would be answered by reading the whole list.
  own_key := access.suppression_key_id();
  RETURN (SELECT min(key_id) FROM access.suppression) <> own_key OR (SELECT max(key_id) FROM access.suppression) <> own_key;
END $$;
