-- Which of these records the account bought within p_days, paid for and did not get its credit back for: their places from
-- 1 on. p_hold holds the account's credits first, so that orders of one account follow each other and each sees what the
-- one before it bought.
CREATE OR REPLACE FUNCTION orders.owned_items(p_account uuid, p_types text[], p_identifiers text[], p_days integer, p_hold boolean)
RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_hold THEN PERFORM ledger.customer(p_account); END IF;
  RETURN QUERY
    SELECT wanted.position FROM unnest(p_types, p_identifiers) WITH ORDINALITY AS wanted (type, identifier, position)
    WHERE EXISTS (
      SELECT FROM orders.item JOIN orders.purchase USING (order_id)
      WHERE item.identifier = wanted.identifier AND item.type = wanted.type
        AND item.charge_id IS NOT NULL AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
        AND purchase.account_id = p_account AND purchase.payment_status = 'paid'
        AND coalesce(item.reclaimed_at, purchase.paid_at) > now() - make_interval(days => p_days));
END $$;
