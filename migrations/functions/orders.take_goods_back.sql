-- The money for an order went back: credits that are only held return to their lots, and everything of the order is withdrawn,
-- with the copies that it paid for. What was spent stays spent. The caller holds the order.
CREATE OR REPLACE FUNCTION orders.take_goods_back(p_order uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  items uuid[];
BEGIN
  PERFORM ledger.customer(account_id) FROM orders.purchase WHERE order_id = p_order;
  SELECT array_agg(item_id) INTO items FROM orders.item WHERE order_id = p_order;
  PERFORM ledger.refund_items(
    ARRAY(SELECT item.item_id FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
          WHERE item.order_id = p_order AND charge.kind = 'hold' AND item.settled_id IS NULL AND item.refunded_at IS NULL),
    NULL, 'money_back', 'system', 'the money for the order went back');
  UPDATE orders.item SET withdrawn_at = now() WHERE item_id = ANY (items) AND refunded_at IS NULL AND withdrawn_at IS NULL;
  PERFORM orders.withdraw_copies(items);
END $$;
