-- Checked at commit: no customer's account is below zero.
CREATE OR REPLACE FUNCTION ledger.check_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  balance bigint;
BEGIN
  IF EXISTS (SELECT FROM ledger.account WHERE ledger_account_id = NEW.ledger_account_id AND kind = 'credits') THEN
    SELECT sum(amount) INTO balance FROM ledger.entry WHERE ledger_account_id = NEW.ledger_account_id;
    IF balance < 0 THEN
      RAISE EXCEPTION 'ledger account % would fall to %', NEW.ledger_account_id, balance USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
