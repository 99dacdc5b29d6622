-- Of at most p_lots lots of any customer, the money that is due: what the hourly job writes.
CREATE OR REPLACE FUNCTION ledger.earn_spent(p_lots integer) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT ledger.earn_lots(NULL, p_lots)
$$;
