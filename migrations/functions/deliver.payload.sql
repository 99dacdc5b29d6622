-- A flat row with the mends of deliver.record.mend: each stands while the row still says what was mended.
CREATE OR REPLACE FUNCTION deliver.payload(p_row jsonb, p_mend jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_row || coalesce(
    (SELECT jsonb_object_agg(key, value -> 'now') FROM jsonb_each(p_mend)
     WHERE coalesce(p_row -> key, 'null') = value -> 'was'), '{}')
$$;
