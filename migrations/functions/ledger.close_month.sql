-- Closes a month that is over with its report, once. Returns whether it was open.
CREATE OR REPLACE FUNCTION ledger.close_month(p_month date, p_actor text, p_reason text, p_report jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM ledger.hold_month(p_month);
  INSERT INTO ledger.closed_month (month, closed_by, reason, report) VALUES (p_month, p_actor, p_reason, p_report)
  ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;
