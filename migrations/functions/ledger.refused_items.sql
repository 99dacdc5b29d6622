-- Items whose credit is held and that every CRM they went to has refused for p_days, with their charge, customer and last refusal.
CREATE OR REPLACE FUNCTION ledger.refused_items(p_days integer)
RETURNS TABLE (item_id uuid, charge_id bigint, customer_id bigint, refusal text) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT DISTINCT ON (item.item_id) item.item_id, item.charge_id, charge.customer_id, delivery.last_error ->> 'message'
  FROM deliver.delivery JOIN orders.item USING (item_id) JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id
  WHERE delivery.state = 'rejected' AND delivery.updated_at < now() - make_interval(days => p_days)
    AND charge.kind = 'hold' AND item.settled_id IS NULL AND item.refunded_at IS NULL
    AND NOT ledger.may_be_acknowledged(item.item_id, now() - make_interval(days => p_days))
  ORDER BY item.item_id, delivery.updated_at DESC
$$;
