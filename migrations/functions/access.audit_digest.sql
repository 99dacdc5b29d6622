-- What the chain holds of a row: every column that has a value, so that columns which come later leave older rows as they are.
CREATE OR REPLACE FUNCTION access.audit_digest(entry access.audit) RETURNS bytea LANGUAGE sql STABLE
SET search_path = pg_catalog SET timezone = 'UTC' AS $$
  SELECT sha256(convert_to(
    (jsonb_strip_nulls(to_jsonb(entry) - 'detail') || jsonb_build_object('detail', entry.detail))::text, 'UTF8'));
$$;
