-- A lot begins empty, stays its owner's with its type and its end, and moves with a transfer alone.
CREATE OR REPLACE FUNCTION ledger.guard_lot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.total := 0;
    NEW.used := 0;
    NEW.paid := 0;
    NEW.earned := 0;
    NEW.created_at := now();
    NEW.updated_at := now();
  ELSIF (NEW.lot_id, NEW.ledger_account_id, NEW.type, NEW.ends_at, NEW.sale, NEW.earns_from, NEW.created_at)
        IS DISTINCT FROM (OLD.lot_id, OLD.ledger_account_id, OLD.type, OLD.ends_at, OLD.sale, OLD.earns_from, OLD.created_at) THEN
    RAISE EXCEPTION 'a lot stays what it is' USING ERRCODE = 'restrict_violation';
  ELSIF pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'a lot moves with a transfer alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
