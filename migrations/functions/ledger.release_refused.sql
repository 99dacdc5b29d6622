-- Releases the held credits of at most p_items items that every CRM they went to has refused for p_days: nobody fixed them, and no
-- report of them was made. Returns how many; run again, it goes on with the next ones.
CREATE OR REPLACE FUNCTION ledger.release_refused(p_days integer, p_items integer) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  chosen uuid[];
  released bigint;
BEGIN
  SELECT array_agg(found.item_id) INTO chosen FROM (
    SELECT refused.item_id FROM ledger.refused_items(p_days) AS refused
    WHERE NOT EXISTS (SELECT FROM orders.dispute WHERE (dispute.item_id, dispute.charge_id) = (refused.item_id, refused.charge_id))
    LIMIT p_items) AS found;
  IF chosen IS NULL THEN RETURN 0; END IF;
  PERFORM FROM ledger.account WHERE ledger_account_id IN (
    SELECT charge.customer_id FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE item.item_id = ANY (chosen))
  ORDER BY ledger_account_id FOR NO KEY UPDATE;
  -- Asked again now that no answer of a CRM can be written meanwhile.
  SELECT count(*) INTO released FROM ledger.refund_items(
    ARRAY(SELECT item_id FROM orders.item WHERE item_id = ANY (chosen) AND settled_id IS NULL
            AND NOT ledger.may_be_acknowledged(item_id, now() - make_interval(days => p_days))),
    NULL, 'refused', 'system', 'refused by the CRM, and not fixed in ' || p_days || ' days');
  RETURN released;
END $$;
