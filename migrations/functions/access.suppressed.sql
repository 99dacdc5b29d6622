-- May this value not leave? Where an entry was hashed under a key that is lost, nobody knows whom it means, and nothing
-- leaves until it is removed. A connection without a key may ask as long as the list is empty, and fails from then on.
CREATE OR REPLACE FUNCTION access.suppressed(kind text, value text) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_variable
DECLARE
  own_key text;
BEGIN
  IF value IS NULL OR NOT EXISTS (SELECT FROM access.suppression) THEN RETURN false; END IF;
  IF EXISTS (SELECT FROM access.suppression s WHERE s.hash = access.suppression_hash(kind, value)) THEN RETURN true; END IF;
  -- Two ranges, because an index answers no inequality.
  own_key := access.suppression_key_id();
  RETURN EXISTS (SELECT FROM access.suppression s WHERE s.key_id < own_key)
      OR EXISTS (SELECT FROM access.suppression s WHERE s.key_id > own_key);
END $$;
