-- The value, or null where it may not leave.
CREATE OR REPLACE FUNCTION access.unless_suppressed(kind text, value text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN access.suppressed(kind, value) THEN NULL ELSE value END;
END $$;
