-- Waits for every transaction that books or issues, and lets no other begin to until this one ends: what the month holds then is all
-- that it will ever hold. For a month that is over alone.
CREATE OR REPLACE FUNCTION ledger.hold_month(p_month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF runtime.indian_midnight((p_month + interval '1 month')::date) > clock_timestamp() THEN
    RAISE EXCEPTION 'a month is closed once it is over' USING ERRCODE = 'check_violation';
  END IF;
  LOCK TABLE ledger.transfer, orders.invoice IN SHARE ROW EXCLUSIVE MODE;
END $$;
