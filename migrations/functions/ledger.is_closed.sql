-- Whether an instant lies in a month of India that is closed.
CREATE OR REPLACE FUNCTION ledger.is_closed(p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.closed_month WHERE month = date_trunc('month', runtime.indian_day(p_at))::date)
$$;
