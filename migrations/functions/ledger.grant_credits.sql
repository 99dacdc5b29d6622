-- Credits for a customer, into the lot of their type and end; those that were purchased into a lot of their own, and those of a term
-- (`<its reference>:credits`) into the one that ledger.open_term_lot opened for it, so that what goes back is taken from what is left of it.
-- A reference that was used by the very same movement changes nothing (applied is false); used by another one, it brings no row.
-- Requests and jobs bring purchased credits in for a payment of the same account alone, and as many as it was for.
CREATE OR REPLACE FUNCTION ledger.grant_credits(
  p_owner uuid, p_credits bigint, p_type text, p_ends_at timestamptz, p_reference text, p_actor text, p_memo text)
RETURNS TABLE (transfer_id bigint, lot_id bigint, applied boolean, balance bigint) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  earlier ledger.transfer;
  lot bigint;
  own_sale text := CASE WHEN p_type = 'purchased' THEN p_reference ELSE (
    SELECT l.sale FROM ledger.lot AS l WHERE l.ledger_account_id = customer.ledger_account_id AND l.type = p_type
      AND l.ends_at = p_ends_at AND l.sale || ':credits' = p_reference) END;
BEGIN
  SELECT * INTO earlier FROM ledger.transfer AS t WHERE t.reference = p_reference;
  IF FOUND THEN
    IF (earlier.kind, earlier.customer_id, earlier.amount) = ('grant', customer.ledger_account_id, p_credits) THEN
      RETURN QUERY SELECT earlier.transfer_id, earlier.lot_id, false, customer.balance;
    END IF;
    RETURN;
  END IF;
  IF p_type = 'purchased' AND NOT access.is_by_hand() AND NOT EXISTS (
       SELECT FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
       WHERE (payment.provider, payment.payment_id)
             = (split_part(p_reference, ':', 2), substring(p_reference FROM '^payment:[^:]+:(.*)$'))
         AND p_owner IN (purchase.account_id, checkout.account_id) AND p_credits IN (purchase.total_amount, checkout.credits)) THEN
    RAISE EXCEPTION 'purchased credits come with their payment, and % is none', p_reference USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO ledger.lot AS l (ledger_account_id, type, ends_at, sale) VALUES (customer.ledger_account_id, p_type, p_ends_at, own_sale)
  ON CONFLICT DO NOTHING;
  SELECT l.lot_id INTO STRICT lot FROM ledger.lot AS l
  WHERE l.ledger_account_id = customer.ledger_account_id AND l.type = p_type AND l.ends_at IS NOT DISTINCT FROM p_ends_at
    AND l.sale IS NOT DISTINCT FROM own_sale;
  RETURN QUERY INSERT INTO ledger.transfer AS t (kind, reference, customer_id, lot_id, amount, actor, memo)
    VALUES ('grant', p_reference, customer.ledger_account_id, lot, p_credits, p_actor, p_memo)
    RETURNING t.transfer_id, t.lot_id, true, t.balance_after;
END $$;
