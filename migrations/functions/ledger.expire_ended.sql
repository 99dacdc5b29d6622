-- Lets the credits of one customer go whose end has come; the caller holds the account. Returns how many went.
CREATE OR REPLACE FUNCTION ledger.expire_ended(p_account bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ended ledger.lot;
  gone bigint := 0;
BEGIN
  FOR ended IN
    SELECT * FROM ledger.lot WHERE ledger_account_id = p_account AND total > used AND ends_at <= now() ORDER BY lot_id
  LOOP
    INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
    VALUES ('expire', 'expire:' || ended.lot_id || ':' || pg_current_xact_id(), p_account, ended.lot_id,
            ended.total - ended.used, 'system', 'the end of these credits has come');
    gone := gone + ended.total - ended.used;
  END LOOP;
  RETURN gone;
END $$;
