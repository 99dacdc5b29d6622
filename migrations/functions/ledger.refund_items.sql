-- Gives the credits of items back, one each, into the lots that they were paid from, and marks the items: what is spent is
-- refunded, what is only held is released; where p_owner is named, of that customer's orders alone. An item that was not charged, whose
-- credit is back, or whose money went back, is left out. Where the buyer has had more of the sale than the money pays for that stayed,
-- the credit goes with that money: the item is marked so, and not among those returned.
-- Copies of the same records that came without a charge go with the last charge that they came by.
CREATE OR REPLACE FUNCTION ledger.refund_items(p_items uuid[], p_owner uuid, p_reason text, p_actor text, p_memo text)
RETURNS SETOF uuid LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  paid record;
  given_back uuid[] := '{}';
  stays uuid[] := '{}';
  back bigint;
  -- Of the lot before, how many credits more went with its money.
  lot_before bigint;
  lacking bigint := 0;
  reason text;
  late record;
BEGIN
  -- The accounts before the items, as orders take them, and in one order.
  PERFORM FROM ledger.account WHERE ledger_account_id IN (
    SELECT charge.customer_id FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE item.item_id = ANY (p_items) AND item.refunded_at IS NULL)
  ORDER BY ledger_account_id FOR NO KEY UPDATE;
  FOR paid IN
    SELECT item.item_id, item.charge_id, charge.lot_id, charge.customer_id,
           CASE WHEN charge.kind = 'hold' AND item.settled_id IS NULL THEN 'release' ELSE 'refund' END AS kind
    FROM orders.item JOIN orders.purchase USING (order_id) JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE item.item_id = ANY (p_items) AND item.refunded_at IS NULL AND item.charge_id IS NOT NULL AND item.withdrawn_at IS NULL
      AND (p_owner IS NULL OR purchase.account_id = p_owner)
    ORDER BY item.order_id, item.position FOR NO KEY UPDATE OF item
  LOOP
    IF p_reason <> 'money_back' AND paid.lot_id IS DISTINCT FROM lot_before THEN
      lot_before := paid.lot_id;
      lacking := ledger.lacking_credits(paid.lot_id);
    END IF;
    INSERT INTO ledger.transfer (kind, reference, item_id, reverses, amount, actor, memo)
    VALUES (paid.kind, paid.kind || ':' || paid.item_id || ':' || paid.charge_id, paid.item_id, paid.charge_id, 1, p_actor, p_memo)
    RETURNING transfer_id INTO back;
    reason := CASE WHEN lacking > 0 THEN 'money_back' ELSE p_reason END;
    UPDATE orders.item SET refunded_at = now(), refund_reason = reason WHERE item_id = paid.item_id;
    given_back := given_back || paid.item_id;
    IF lacking > 0 THEN
      lacking := lacking - 1;
      INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
      VALUES ('revoke', 'lacking:' || back, paid.customer_id, paid.lot_id, 1, p_actor, 'the money for it went back before');
    ELSE
      stays := stays || paid.item_id;
      RETURN NEXT paid.item_id;
    END IF;
  END LOOP;
  -- What comes back after the end of its lot, or shortly before it, would be gone before it can be spent. Not what the money for it
  -- takes along, nor what comes back at once: of that no time was lost.
  FOR late IN
    SELECT charge.lot_id, count(*) AS credits, max(back.transfer_id) AS after
    FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    JOIN ledger.transfer AS back ON back.item_id = item.item_id AND back.reverses = charge.transfer_id
    JOIN ledger.lot ON lot.lot_id = charge.lot_id
    WHERE p_reason <> 'money_back' AND item.item_id = ANY (stays)
      AND ledger.comes_back_late(lot.ends_at, charge.created_at)
    GROUP BY charge.lot_id ORDER BY charge.lot_id
  LOOP
    PERFORM ledger.carry_over(late.lot_id, late.credits, late.after, p_actor);
  END LOOP;
  IF given_back <> '{}' THEN PERFORM orders.withdraw_copies(given_back); END IF;
END $$;
