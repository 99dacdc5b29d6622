-- Spends the held credits of items: one transfer for all that one hold paid for, and the items name it. Items that were not
-- held, are settled already or whose credit went back are left out. Returns how many were settled.
CREATE OR REPLACE FUNCTION ledger.settle_items(p_items uuid[], p_memo text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held uuid[];
  part record;
  written bigint;
  settled bigint := 0;
BEGIN
  SELECT array_agg(item.item_id) INTO held
  FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
  WHERE item.item_id = ANY (p_items) AND item.settled_id IS NULL AND item.refunded_at IS NULL AND charge.kind = 'hold';
  IF held IS NULL THEN RETURN 0; END IF;
  -- The accounts before the items, as orders take them, and in one order.
  PERFORM FROM ledger.account WHERE ledger_account_id IN (
    SELECT charge.customer_id FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE item.item_id = ANY (held))
  ORDER BY ledger_account_id FOR NO KEY UPDATE;
  FOR part IN
    SELECT charge_id, array_agg(item_id ORDER BY position) AS items FROM (
      SELECT item.item_id, item.charge_id, item.position
      FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
      WHERE item.item_id = ANY (held) AND item.settled_id IS NULL AND item.refunded_at IS NULL AND charge.kind = 'hold'
      ORDER BY item.order_id, item.position FOR NO KEY UPDATE OF item) AS open
    GROUP BY charge_id ORDER BY charge_id
  LOOP
    INSERT INTO ledger.transfer AS t (kind, reference, reverses, amount, actor, memo)
    VALUES ('settle', 'settle:' || part.items[1] || ':' || part.charge_id, part.charge_id, cardinality(part.items), 'system', p_memo)
    RETURNING t.transfer_id INTO written;
    UPDATE orders.item SET settled_id = written WHERE item_id = ANY (part.items);
    settled := settled + cardinality(part.items);
  END LOOP;
  RETURN settled;
END $$;
