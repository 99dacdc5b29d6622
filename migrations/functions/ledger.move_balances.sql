-- After a transfer is written: the kept balance of the customer and of the lot move with it, in its statement. One transfer
-- to a statement: a second one of the same customer would have been sealed with the balance before the first.
CREATE OR REPLACE FUNCTION ledger.move_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delta bigint := CASE WHEN NEW.to_id = NEW.customer_id THEN NEW.amount WHEN NEW.from_id = NEW.customer_id THEN -NEW.amount END;
  meant text := NEW.kind;
  direction integer := 1;
BEGIN
  IF NEW.kind = 'reversal' THEN
    SELECT kind INTO meant FROM ledger.transfer WHERE transfer_id = NEW.reverses;
    direction := -1;
  END IF;
  IF delta IS NOT NULL THEN
    UPDATE ledger.account SET balance = NEW.balance_after
    WHERE ledger_account_id = NEW.customer_id AND balance = NEW.balance_after - delta;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'one transfer to a statement' USING ERRCODE = 'check_violation';
    END IF;
    UPDATE ledger.lot SET updated_at = NEW.created_at,
      total = total + CASE WHEN meant IN ('spend', 'hold', 'subscribe', 'unsubscribe', 'refund', 'release') THEN 0 ELSE delta END,
      used = used - CASE WHEN meant IN ('spend', 'hold', 'subscribe', 'unsubscribe', 'refund', 'release') THEN delta ELSE 0 END,
      held = held - CASE WHEN meant IN ('hold', 'release') THEN delta ELSE 0 END
    WHERE lot_id = NEW.lot_id;
  ELSIF NEW.kind = 'settle' THEN
    UPDATE ledger.lot SET updated_at = NEW.created_at, held = held - NEW.amount WHERE lot_id = NEW.lot_id;
  ELSIF NEW.lot_id IS NOT NULL THEN
    UPDATE ledger.lot SET updated_at = NEW.created_at,
      paid = paid + direction * CASE WHEN meant = 'payment' THEN NEW.amount WHEN meant IN ('unsell', 'unearn', 'unlapse') THEN -NEW.amount ELSE 0 END,
      earned = earned + direction * CASE WHEN meant IN ('earn', 'lapse') THEN NEW.amount WHEN meant IN ('unearn', 'unlapse') THEN -NEW.amount ELSE 0 END
    WHERE lot_id = NEW.lot_id AND meant IN ('payment', 'unsell', 'unearn', 'unlapse', 'earn', 'lapse');
  END IF;
  RETURN NULL;
END $$;
