-- After deliveries changed: the held credits of those that are acknowledged are spent.
CREATE OR REPLACE FUNCTION deliver.settle_acknowledged() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM ledger.settle_items(ARRAY(SELECT item_id FROM changed WHERE state = 'acknowledged'), 'acknowledged by the CRM');
  RETURN NULL;
END $$;
