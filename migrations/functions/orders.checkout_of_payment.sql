-- The sale of credits that waits for a processor's payment; see orders.order_of_payment.
CREATE OR REPLACE FUNCTION orders.checkout_of_payment(provider text, payment_id text) RETURNS uuid LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT checkout_id FROM orders.checkout
  WHERE payment IS NOT NULL AND payment ->> 'provider' = provider AND payment ->> 'id' = payment_id
$$;
