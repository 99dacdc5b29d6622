-- An item stays what was ordered. It is charged once, its credit goes back once, and only then may it be charged anew.
CREATE OR REPLACE FUNCTION orders.guard_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.item_id, NEW.order_id, NEW.position, NEW.type, NEW.identifier)
     IS DISTINCT FROM (OLD.item_id, OLD.order_id, OLD.position, OLD.type, OLD.identifier)
     OR NEW.already_owned <> OLD.already_owned THEN
    RAISE EXCEPTION 'an item stays what was ordered' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.withdrawn_at IS NOT NULL AND NEW.withdrawn_at IS DISTINCT FROM OLD.withdrawn_at THEN
    RAISE EXCEPTION 'what was withdrawn stays so' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.charge_id IS DISTINCT FROM OLD.charge_id THEN
    IF NEW.charge_id IS NULL OR NEW.refunded_at IS NOT NULL OR OLD.charge_id IS NOT NULL AND OLD.refunded_at IS NULL
       OR NOT EXISTS (SELECT FROM ledger.transfer
                      WHERE transfer_id = NEW.charge_id AND kind IN ('spend', 'hold') AND order_id = NEW.order_id) THEN
      RAISE EXCEPTION 'an item is charged by a spend of its order, and anew only once its credit went back'
        USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF OLD.refunded_at IS NOT NULL AND (NEW.refunded_at, NEW.refund_reason) IS DISTINCT FROM (OLD.refunded_at, OLD.refund_reason) THEN
    RAISE EXCEPTION 'an item is refunded once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.charge_id IS DISTINCT FROM OLD.charge_id AND NEW.settled_id IS NOT NULL
     OR NEW.charge_id IS NOT DISTINCT FROM OLD.charge_id AND NEW.settled_id IS DISTINCT FROM OLD.settled_id AND (
       OLD.settled_id IS NOT NULL OR NEW.refunded_at IS NOT NULL OR NOT EXISTS (
         SELECT FROM ledger.transfer WHERE transfer_id = NEW.settled_id AND kind = 'settle' AND reverses = NEW.charge_id)) THEN
    RAISE EXCEPTION 'a held item is settled once, by a settlement of its hold' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
