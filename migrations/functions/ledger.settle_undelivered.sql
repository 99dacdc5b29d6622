-- Spends the held credits of at most p_items items that were held p_days ago and that no destination is going to take: none
-- was asked, or those that were are removed. Returns how many; run again, it goes on with the next ones.
CREATE OR REPLACE FUNCTION ledger.settle_undelivered(p_days integer, p_items integer) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN ledger.settle_items(ARRAY(
    SELECT item.item_id
    FROM ledger.lot
    JOIN ledger.transfer AS charge ON charge.lot_id = lot.lot_id AND charge.kind = 'hold'
    JOIN orders.item ON item.charge_id = charge.transfer_id
    WHERE lot.held > 0 AND charge.created_at < now() - make_interval(days => p_days)
      AND item.settled_id IS NULL AND item.refunded_at IS NULL
      AND NOT EXISTS (SELECT FROM deliver.delivery JOIN deliver.destination USING (destination_id)
        WHERE delivery.item_id = item.item_id AND destination.status <> 'removed')
      AND NOT EXISTS (SELECT FROM deliver.push JOIN deliver.destination USING (destination_id)
        WHERE push.order_id = item.order_id AND push.status <> 'finished' AND destination.status <> 'removed')
    ORDER BY item.order_id, item.position LIMIT p_items), 'no destination takes it');
END $$;
