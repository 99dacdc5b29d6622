-- A record that came without a charge stands by the charge that made it owned: of the records of these items, those copies of
-- the same account are withdrawn that no charge stands for any more. The caller holds the account's credits.
CREATE OR REPLACE FUNCTION orders.withdraw_copies(p_items uuid[]) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE orders.item AS copy SET withdrawn_at = now()
  FROM orders.item AS named
  JOIN orders.purchase AS owner ON owner.order_id = named.order_id
  CROSS JOIN LATERAL (
    SELECT other.item_id FROM orders.item AS other JOIN orders.purchase AS of ON of.order_id = other.order_id
    WHERE other.identifier = named.identifier AND other.type = named.type AND other.already_owned
      AND other.withdrawn_at IS NULL AND of.account_id = owner.account_id) AS found
  WHERE named.item_id = ANY (p_items) AND copy.item_id = found.item_id
    AND NOT EXISTS (
      SELECT FROM orders.item AS charged JOIN orders.purchase AS paid ON paid.order_id = charged.order_id
      WHERE charged.identifier = named.identifier AND charged.type = named.type AND charged.charge_id IS NOT NULL
        AND charged.refunded_at IS NULL AND charged.withdrawn_at IS NULL
        AND paid.account_id = owner.account_id AND paid.payment_status = 'paid')
$$;
