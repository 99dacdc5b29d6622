-- The lot of one term alone, under the reference of what paid for it: for the credits that it brings, and for its money, which is
-- earned from p_earns_from to the lot's end.
CREATE OR REPLACE FUNCTION ledger.open_term_lot(p_owner uuid, p_ends_at timestamptz, p_earns_from timestamptz, p_reference text)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO ledger.lot (ledger_account_id, type, ends_at, earns_from, sale)
  SELECT ledger_account_id, 'plan', p_ends_at, p_earns_from, p_reference FROM ledger.customer(p_owner)
  RETURNING lot_id
$$;
