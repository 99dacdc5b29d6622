-- A flat row with the fixes of deliver.record.fixes: each stands while the row still says what was fixed. Hardly any row has
-- one, and each is asked for several times on its way, so that costs nothing.
CREATE OR REPLACE FUNCTION deliver.payload(p_row jsonb, p_fixes jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF p_fixes IS NULL THEN RETURN p_row; END IF;
  RETURN p_row || coalesce(
    (SELECT jsonb_object_agg(key, value -> 'now') FROM jsonb_each(p_fixes)
     WHERE coalesce(p_row -> key, 'null') = value -> 'was'), '{}');
END $$;
