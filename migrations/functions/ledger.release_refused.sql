-- Releases the held credits of at most p_items items that every CRM they went to has refused for p_days: nobody mended them.
-- Returns how many; run again, it goes on with the next ones.
CREATE OR REPLACE FUNCTION ledger.release_refused(p_days integer, p_items integer) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before timestamptz := now() - make_interval(days => p_days);
  chosen uuid[];
  released bigint;
BEGIN
  SELECT array_agg(found.item_id) INTO chosen FROM (
    SELECT DISTINCT delivery.item_id
    FROM deliver.delivery JOIN orders.item USING (item_id) JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE delivery.state = 'rejected' AND delivery.updated_at < before
      AND charge.kind = 'hold' AND item.settled_id IS NULL AND item.refunded_at IS NULL
      AND NOT ledger.may_be_acknowledged(delivery.item_id, before)
    LIMIT p_items) AS found;
  IF chosen IS NULL THEN RETURN 0; END IF;
  PERFORM FROM ledger.account WHERE ledger_account_id IN (
    SELECT charge.customer_id FROM orders.item JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
    WHERE item.item_id = ANY (chosen))
  ORDER BY ledger_account_id FOR NO KEY UPDATE;
  -- Asked again now that no answer of a CRM can be written meanwhile.
  SELECT count(*) INTO released FROM ledger.refund_items(
    ARRAY(SELECT item_id FROM orders.item WHERE item_id = ANY (chosen) AND settled_id IS NULL
            AND NOT ledger.may_be_acknowledged(item_id, before)),
    NULL, 'refused', 'system', 'refused by the CRM, and not mended in ' || p_days || ' days');
  RETURN released;
END $$;
