-- Takes back what is left in one lot, at most p_credits. Returns how many went, 0 also where the reference was used before.
CREATE OR REPLACE FUNCTION ledger.revoke_from_lot(
  p_owner uuid, p_lot bigint, p_credits bigint, p_reference text, p_actor text, p_memo text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  going bigint;
BEGIN
  SELECT least(p_credits, l.total - l.used) INTO going FROM ledger.lot AS l
  WHERE l.lot_id = p_lot AND l.ledger_account_id = customer.ledger_account_id;
  IF coalesce(going, 0) < 1 OR EXISTS (SELECT FROM ledger.transfer AS t WHERE t.reference = p_reference) THEN RETURN 0; END IF;
  INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
  VALUES ('revoke', p_reference, customer.ledger_account_id, p_lot, going, p_actor, p_memo);
  RETURN going;
END $$;
