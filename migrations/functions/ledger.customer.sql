-- The customer's account, made where there is none, and held until the transaction ends: whatever moves credits of one
-- customer follows one after the other.
CREATE OR REPLACE FUNCTION ledger.customer(p_owner uuid) RETURNS ledger.account LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held ledger.account;
BEGIN
  SELECT * INTO held FROM ledger.account WHERE owner_id = p_owner AND kind = 'credits' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    -- Two first movements may meet here; the unique index lets one insert and the other waits for it.
    INSERT INTO ledger.account (owner_id, kind) VALUES (p_owner, 'credits') ON CONFLICT (owner_id, kind) DO NOTHING;
    SELECT * INTO STRICT held FROM ledger.account WHERE owner_id = p_owner AND kind = 'credits' FOR NO KEY UPDATE;
  END IF;
  RETURN held;
END $$;
