-- Takes a whole transfer back by its opposite, once; a spend is given back by refund_items instead.
CREATE OR REPLACE FUNCTION ledger.reverse(p_transfer bigint, p_actor text, p_memo text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO ledger.transfer (kind, reference, amount, reverses, actor, memo)
  SELECT 'reversal', 'reversal:' || transfer_id, amount, transfer_id, p_actor, p_memo
  FROM ledger.transfer WHERE transfer_id = p_transfer RETURNING transfer_id
$$;
