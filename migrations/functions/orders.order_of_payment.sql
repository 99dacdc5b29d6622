-- The order that waits for a processor's payment. Under row-level security the index over `payment` would not be used,
-- since its operators are not known to tell nothing of the rows that they pass over; the owner is not bound by it.
CREATE OR REPLACE FUNCTION orders.order_of_payment(provider text, payment_id text) RETURNS uuid LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT order_id FROM orders.purchase
  WHERE payment IS NOT NULL AND payment ->> 'provider' = provider AND payment ->> 'id' = payment_id
$$;
