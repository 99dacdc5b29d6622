-- What an order costs, from the one lot that its own money filled: spent, or held as ledger.charge_kind says. p_kind is that of
-- ledger.take_credits. Returns the transfer; the lot's own bound refuses more than it holds.
CREATE OR REPLACE FUNCTION ledger.charge_lot(
  p_kind text, p_owner uuid, p_lot bigint, p_credits bigint, p_order uuid, p_reference text, p_actor text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  written bigint;
BEGIN
  IF p_kind = 'charge' THEN p_kind := ledger.charge_kind(p_owner); END IF;
  IF p_kind NOT IN ('spend', 'hold') THEN RAISE EXCEPTION 'an order is charged by a spend or a hold'; END IF;
  INSERT INTO ledger.transfer AS t (kind, reference, customer_id, lot_id, amount, order_id, actor)
  VALUES (p_kind, p_reference, customer.ledger_account_id, p_lot, p_credits, p_order, p_actor)
  RETURNING t.transfer_id INTO written;
  RETURN written;
END $$;
