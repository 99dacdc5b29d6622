-- Paise of a lot that are not earned yet. The lot is held until the transaction ends, so that they are not earned meanwhile.
CREATE OR REPLACE FUNCTION ledger.hold_unearned(p_lot bigint) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT paid - earned FROM ledger.lot WHERE lot_id = p_lot FOR NO KEY UPDATE
$$;
