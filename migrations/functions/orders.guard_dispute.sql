-- A dispute is decided once, and stays about what it was about; its words go with the account.
CREATE OR REPLACE FUNCTION orders.guard_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.dispute_id, NEW.item_id, NEW.charge_id, NEW.reported_by, NEW.opened_at)
     IS DISTINCT FROM (OLD.dispute_id, OLD.item_id, OLD.charge_id, OLD.reported_by, OLD.opened_at)
     OR OLD.status <> 'open' AND (NEW.status, NEW.decided_at, NEW.decided_by)
        IS DISTINCT FROM (OLD.status, OLD.decided_at, OLD.decided_by) THEN
    RAISE EXCEPTION 'a dispute is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
