-- Ends orders that were not paid for p_hours; money that comes for one later stays as credits. Returns how many.
CREATE OR REPLACE FUNCTION orders.expire_unpaid(p_hours integer) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH ended AS (
    UPDATE orders.purchase SET status = 'expired', payment_status = 'cancelled', cancelled_at = now()
    WHERE status = 'pending' AND created_at < now() - make_interval(hours => p_hours) RETURNING 1
  ) SELECT count(*) FROM ended
$$;
