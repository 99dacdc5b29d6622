-- A purchase moves along its states, and what was agreed stays; the processor's order goes with the account's erasure.
CREATE OR REPLACE FUNCTION orders.guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.checkout_id, NEW.account_id, NEW.product, NEW.credits, NEW.valid_days, NEW.amount, NEW.terms, NEW.created_at)
     IS DISTINCT FROM
     (OLD.checkout_id, OLD.account_id, OLD.product, OLD.credits, OLD.valid_days, OLD.amount, OLD.terms, OLD.created_at)
     OR NEW.payment IS DISTINCT FROM OLD.payment AND NEW.payment IS NOT NULL THEN
    RAISE EXCEPTION 'what was agreed stays as it was' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
       ('pending', 'paid'), ('pending', 'expired'), ('expired', 'paid'), ('paid', 'refunded')) THEN
    RAISE EXCEPTION 'a purchase does not move from % to %', OLD.status, NEW.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
