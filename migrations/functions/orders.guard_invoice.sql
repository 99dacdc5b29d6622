-- A document is issued in a month that is open: whoever began in one that was closed meanwhile begins anew.
CREATE OR REPLACE FUNCTION orders.guard_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF ledger.is_closed(NEW.issued_at) THEN
    RAISE EXCEPTION 'no document is issued in a month that is closed' USING ERRCODE = 'check_violation', CONSTRAINT = 'month_is_open';
  END IF;
  RETURN NEW;
END $$;
