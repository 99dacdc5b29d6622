-- One movement of paise between accounts of the ledger. p_lot: the credits that the money is for. Used by the very same
-- movement before, a reference changes nothing (applied is false); used by another one, it brings no row.
CREATE OR REPLACE FUNCTION ledger.post_money(
  p_kind text, p_owner uuid, p_paise bigint, p_lot bigint, p_reverses bigint, p_set bigint, p_reference text, p_actor text, p_memo text)
RETURNS TABLE (transfer_id bigint, applied boolean) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  earlier ledger.transfer;
BEGIN
  IF NOT EXISTS (SELECT FROM ledger.kind WHERE kind = p_kind AND currency = 'paise') THEN
    RAISE EXCEPTION '% moves no money', p_kind USING ERRCODE = 'check_violation';
  END IF;
  SELECT * INTO earlier FROM ledger.transfer AS t WHERE t.reference = p_reference;
  IF FOUND THEN
    IF (earlier.kind, earlier.customer_id, earlier.amount) = (p_kind, customer.ledger_account_id, p_paise) THEN
      RETURN QUERY SELECT earlier.transfer_id, false;
    END IF;
    RETURN;
  END IF;
  RETURN QUERY INSERT INTO ledger.transfer AS t (kind, reference, customer_id, lot_id, amount, reverses, set_id, actor, memo)
    VALUES (p_kind, p_reference, customer.ledger_account_id, p_lot, p_paise, p_reverses, p_set, p_actor, p_memo)
    RETURNING t.transfer_id, true;
END $$;
