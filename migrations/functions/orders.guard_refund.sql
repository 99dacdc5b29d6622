-- A refund that was asked for is made or refused; one that was refused may have been made after all.
CREATE OR REPLACE FUNCTION orders.guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.request_id, NEW.provider, NEW.payment_id, NEW.reference, NEW.amount, NEW.items, NEW.reason, NEW.actor, NEW.asked_at)
     IS DISTINCT FROM
     (OLD.request_id, OLD.provider, OLD.payment_id, OLD.reference, OLD.amount, OLD.items, OLD.reason, OLD.actor, OLD.asked_at) THEN
    RAISE EXCEPTION 'what was asked for stays as it was' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
       ('asked', 'made'), ('asked', 'refused'), ('refused', 'made')) THEN
    RAISE EXCEPTION 'a refund does not move from % to %', OLD.status, NEW.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
