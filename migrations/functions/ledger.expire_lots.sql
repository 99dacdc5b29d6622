-- Lets credits go whose end has come, of at most p_customers customers, in the order of their accounts. Returns how many
-- credits went; run again, it goes on with the next ones.
CREATE OR REPLACE FUNCTION ledger.expire_lots(p_customers integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  owner bigint;
  gone bigint := 0;
BEGIN
  FOR owner IN
    SELECT ledger_account_id FROM ledger.account
    WHERE ledger_account_id IN (
      SELECT ledger_account_id FROM ledger.lot WHERE total > used AND ends_at <= now() ORDER BY 1 LIMIT p_customers)
    ORDER BY ledger_account_id FOR NO KEY UPDATE
  LOOP
    gone := gone + ledger.expire_ended(owner);
  END LOOP;
  RETURN gone;
END $$;
