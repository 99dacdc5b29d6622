-- How many transfers the ledger holds, also for those who may not read them.
CREATE OR REPLACE FUNCTION ledger.count_transfers() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$ SELECT count(*) FROM ledger.transfer $$;
