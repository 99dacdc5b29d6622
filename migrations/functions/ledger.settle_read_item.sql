-- Whoever reads one row has it, and no other of its order: what was held for it is spent. Asked again, nothing is.
CREATE OR REPLACE FUNCTION ledger.settle_read_item(p_item uuid) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT ledger.settle_items(ARRAY[p_item], 'read by its buyer')
$$;
