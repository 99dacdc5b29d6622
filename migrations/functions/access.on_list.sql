-- Does an entry of the suppression list mean this value? Unlike access.suppressed it is false where the key of an entry is lost: what
-- is erased does not come back.
CREATE OR REPLACE FUNCTION access.on_list(kind text, value text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT value IS NOT NULL AND EXISTS (SELECT FROM access.suppression s WHERE s.hash = access.suppression_hash($1, $2))
$$;
