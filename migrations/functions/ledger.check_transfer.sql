-- Checked at commit: the entries of a transfer sum to zero and there are at least two.
CREATE OR REPLACE FUNCTION ledger.check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
  entries bigint;
BEGIN
  SELECT coalesce(sum(amount), 0), count(*) INTO total, entries FROM ledger.entry WHERE transfer_id = NEW.transfer_id;
  IF total <> 0 OR entries < 2 THEN
    RAISE EXCEPTION 'transfer % does not balance: % entries sum to %', NEW.transfer_id, entries, total
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
