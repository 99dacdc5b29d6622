-- A term stays what was bought: only its dates move, and only to an earlier end, when what paid for it goes back.
CREATE OR REPLACE FUNCTION access.guard_term() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.term_id, NEW.subscription_id, NEW.number, NEW.reference, NEW.paid_with, NEW.price, NEW.days, NEW.credits, NEW.lot_id, NEW.bought_at, NEW.opens, NEW.name, NEW.interval)
     IS DISTINCT FROM
     (OLD.term_id, OLD.subscription_id, OLD.number, OLD.reference, OLD.paid_with, OLD.price, OLD.days, OLD.credits, OLD.lot_id, OLD.bought_at, OLD.opens, OLD.name, OLD.interval)
     OR NEW.ends_at > OLD.ends_at OR NEW.starts_at > OLD.starts_at THEN
    RAISE EXCEPTION 'a term stays what was bought' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
