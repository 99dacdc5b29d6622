-- Orders move along the table of transitions of src/orders/states.ts, and what was agreed stays.
CREATE OR REPLACE FUNCTION orders.guard_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.order_id, NEW.account_id, NEW.payment_option, NEW.total_amount, NEW.items_count, NEW.created_at)
     IS DISTINCT FROM (OLD.order_id, OLD.account_id, OLD.payment_option, OLD.total_amount, OLD.items_count, OLD.created_at) THEN
    RAISE EXCEPTION 'what was ordered stays as it was' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
       ('pending', 'completed'), ('pending', 'cancelled'), ('pending', 'failed'), ('pending', 'expired'))
     OR NEW.payment_status <> OLD.payment_status AND (OLD.payment_status, NEW.payment_status) NOT IN (
       ('pending', 'paid'), ('pending', 'failed'), ('pending', 'cancelled'), ('paid', 'refunded')) THEN
    RAISE EXCEPTION 'an order does not move from %/% to %/%', OLD.status, OLD.payment_status, NEW.status, NEW.payment_status
      USING ERRCODE = 'restrict_violation';
  END IF;
  -- Order and payment move together.
  IF (NEW.status, NEW.payment_status) IS DISTINCT FROM (OLD.status, OLD.payment_status)
     AND (NEW.status, NEW.payment_status) NOT IN (('completed', 'paid'), ('completed', 'refunded'),
       ('cancelled', 'cancelled'), ('expired', 'cancelled'), ('failed', 'failed')) THEN
    RAISE EXCEPTION 'an order is not % while its payment is %', NEW.status, NEW.payment_status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
