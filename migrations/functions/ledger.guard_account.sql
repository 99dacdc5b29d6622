-- An account begins empty, is its owner's for good, and its balance moves with a transfer alone.
CREATE OR REPLACE FUNCTION ledger.guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.balance := CASE WHEN NEW.owner_id IS NOT NULL THEN 0 END;
  ELSIF (NEW.ledger_account_id, NEW.owner_id, NEW.kind, NEW.currency)
        IS DISTINCT FROM (OLD.ledger_account_id, OLD.owner_id, OLD.kind, OLD.currency) THEN
    RAISE EXCEPTION 'a ledger account stays what it is' USING ERRCODE = 'restrict_violation';
  ELSIF NEW.balance IS DISTINCT FROM OLD.balance AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'a balance moves with a transfer alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
