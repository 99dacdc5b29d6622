-- A second wall behind src/orders/ledger.ts: whoever takes credits from a customer holds that account's row until
-- the end of the transaction, and at commit the balance must not be below zero.
CREATE OR REPLACE FUNCTION ledger.hold_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger.account WHERE ledger_account_id = NEW.ledger_account_id AND kind = 'credits' FOR NO KEY UPDATE;
  RETURN NEW;
END $$;
