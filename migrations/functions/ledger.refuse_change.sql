-- A ledger is only ever added to: corrections are new transfers.
CREATE OR REPLACE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger rows are never updated or deleted' USING ERRCODE = 'restrict_violation';
END $$;
