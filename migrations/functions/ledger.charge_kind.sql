-- How what a customer orders is charged: held where an order of it goes into a CRM automatically, else spent at once.
CREATE OR REPLACE FUNCTION ledger.charge_kind(p_owner uuid) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE WHEN EXISTS (
    SELECT FROM deliver.destination
    WHERE account_id = p_owner AND status <> 'removed' AND (deliver = 'automatic' OR deliver LIKE '__:__')
  ) THEN 'hold' ELSE 'spend' END
$$;
