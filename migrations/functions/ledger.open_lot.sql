-- The lot that all terms of one end share: version 0.1.0 asks for it, which may run beside this release; see ledger.open_term_lot.
CREATE OR REPLACE FUNCTION ledger.open_lot(p_owner uuid, p_ends_at timestamptz, p_earns_from timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  lot bigint;
BEGIN
  INSERT INTO ledger.lot AS l (ledger_account_id, type, ends_at, earns_from)
  VALUES (customer.ledger_account_id, 'plan', p_ends_at, p_earns_from)
  ON CONFLICT DO NOTHING;
  SELECT l.lot_id INTO STRICT lot FROM ledger.lot AS l
  WHERE l.ledger_account_id = customer.ledger_account_id AND l.type = 'plan' AND l.ends_at = p_ends_at
    AND l.sale IS NULL;
  RETURN lot;
END $$;
