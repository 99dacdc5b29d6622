-- Whether a credit that comes back now, charged then, would be gone before it can be spent: its lot has ended, or does within 30
-- days. Not where it comes back within a day: no time was lost.
CREATE OR REPLACE FUNCTION ledger.comes_back_late(p_ends_at timestamptz, p_charged_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT p_ends_at <= now() OR p_ends_at < now() + interval '30 days' AND p_charged_at < now() - interval '1 day'
$$;
