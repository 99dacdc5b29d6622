-- deliver.record.unconfirmed with one more item, whose lead was sent and never answered: each stands there once, the last one sent last.
CREATE OR REPLACE FUNCTION deliver.with_unconfirmed(p_items uuid[], p_sent uuid) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_append(array_remove(p_items, p_sent), p_sent)
$$;
