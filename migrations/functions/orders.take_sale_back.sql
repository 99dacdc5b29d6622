-- Money for a sale went back, and p_due of its credits are to go with it: the rows that it names (p_items), and where what is left in
-- its lots is too little then, as many that are only held are released, the newest first, so that no CRM gets them. p_whole: all of the money went back. Then every
-- row that these credits paid for is taken back: what is held is released, the rest withdrawn, with the copies that it paid
-- for; nothing of it is shown, delivered, refunded or reclaimed any more. Returns the rows whose credit went back into its lot.
CREATE OR REPLACE FUNCTION orders.take_sale_back(p_lots bigint[], p_due bigint, p_whole boolean, p_items uuid[])
RETURNS SETOF uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  short bigint;
  taken uuid[];
BEGIN
  -- The accounts before the items, as orders take them, and in one order.
  PERFORM FROM ledger.account WHERE ledger_account_id IN (SELECT ledger_account_id FROM ledger.lot WHERE lot_id = ANY (p_lots))
  ORDER BY ledger_account_id FOR NO KEY UPDATE;
  RETURN QUERY SELECT ledger.refund_items(p_items, NULL, 'money_back', 'system', 'the money for it went back');
  SELECT p_due - coalesce(sum(total - used), 0) INTO short FROM ledger.lot WHERE lot_id = ANY (p_lots);
  RETURN QUERY SELECT ledger.refund_items(ARRAY(
    SELECT item.item_id FROM ledger.transfer AS charge JOIN orders.item ON item.charge_id = charge.transfer_id
    WHERE charge.lot_id = ANY (p_lots) AND charge.kind = 'hold' AND item.settled_id IS NULL AND item.refunded_at IS NULL
    ORDER BY charge.transfer_id DESC, item.position DESC LIMIT CASE WHEN NOT p_whole THEN greatest(short, 0) END),
    NULL, 'money_back', 'system', 'the money for it went back');
  IF NOT p_whole THEN RETURN; END IF;
  -- What nobody could be reached under then would be reclaimed.
  WITH gone AS (
    UPDATE orders.item SET withdrawn_at = now() FROM ledger.transfer AS charge
    WHERE charge.transfer_id = item.charge_id AND charge.lot_id = ANY (p_lots) AND charge.kind IN ('spend', 'hold')
      AND item.withdrawn_at IS NULL AND (item.refunded_at IS NULL OR item.refund_reason IN ('no_contact', 'money_back'))
    RETURNING item.item_id
  ) SELECT array_agg(item_id) INTO taken FROM gone;
  PERFORM orders.withdraw_copies(coalesce(taken, '{}'));
END $$;
