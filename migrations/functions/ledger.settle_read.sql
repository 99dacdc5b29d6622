-- Whoever reads a row, or takes it away as a file, has it: the held credits of the rows of this order that can be read now are
-- spent, of one type where it is named. Returns how many; asked again, none.
CREATE OR REPLACE FUNCTION ledger.settle_read(p_order uuid, p_type text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- Most orders hold nothing: by an index, and before any of their rows is looked at.
  IF NOT EXISTS (SELECT FROM ledger.transfer WHERE order_id = p_order AND kind = 'hold') THEN RETURN 0; END IF;
  RETURN ledger.settle_items(ARRAY(
    SELECT item.item_id FROM orders.item JOIN orders.lead USING (item_id)
    WHERE item.order_id = p_order AND item.settled_id IS NULL AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
      AND (p_type IS NULL OR item.type = p_type)), 'read by its buyer');
END $$;
