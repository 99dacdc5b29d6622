-- Spends the held credits of at most p_items items that were held p_days ago and that no destination is going to take: none
-- was asked, those that were are removed, or an operator rejected the report of what they refused; and of those that were held
-- p_longest days ago and still wait for a destination, which is broken, or paused, or silent. Their buyer has had them all the time.
-- Returns how many; run again, it goes on with the next ones.
CREATE OR REPLACE FUNCTION ledger.settle_undelivered(p_days integer, p_longest integer, p_items integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN ledger.settle_items(ARRAY(
    SELECT item.item_id
    FROM ledger.lot
    JOIN ledger.transfer AS charge ON charge.lot_id = lot.lot_id AND charge.kind = 'hold'
    JOIN orders.item ON item.charge_id = charge.transfer_id
    LEFT JOIN orders.dispute ON (dispute.item_id, dispute.charge_id) = (item.item_id, item.charge_id)
    CROSS JOIN LATERAL (
      SELECT count(*) = 0 AS is_none, coalesce(bool_or(delivery.state <> 'rejected'), false) AS waits,
             bool_and(delivery.state = 'rejected' AND delivery.updated_at < now() - make_interval(days => p_days)) AS refused
      FROM deliver.delivery JOIN deliver.destination USING (destination_id)
      WHERE delivery.item_id = item.item_id AND destination.status <> 'removed') AS way
    WHERE lot.held > 0 AND charge.created_at < now() - make_interval(days => p_days)
      AND item.settled_id IS NULL AND item.refunded_at IS NULL AND dispute.status IS DISTINCT FROM 'open'
      AND CASE
        WHEN way.refused THEN dispute.status = 'rejected'
        WHEN charge.created_at < now() - make_interval(days => p_longest) THEN way.is_none OR way.waits
        ELSE way.is_none AND NOT EXISTS (SELECT FROM deliver.push JOIN deliver.destination USING (destination_id)
          WHERE push.order_id = item.order_id AND push.status <> 'finished' AND destination.status <> 'removed')
      END
    ORDER BY item.order_id, item.position LIMIT p_items), 'no destination takes it');
END $$;
