-- What was sold for money defends itself as the ledger does: purchases and refunds move along their states, payments and
-- documents are only ever added, and the counters of documents move one by one with them.

CREATE FUNCTION orders.guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_counter() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE TRIGGER checkout_guarded BEFORE UPDATE ON orders.checkout FOR EACH ROW EXECUTE FUNCTION orders.guard_checkout();
CREATE TRIGGER refund_guarded BEFORE UPDATE ON orders.refund FOR EACH ROW EXECUTE FUNCTION orders.guard_refund();
CREATE TRIGGER counter_guarded BEFORE INSERT OR UPDATE ON orders.invoice_counter
  FOR EACH ROW EXECUTE FUNCTION orders.guard_counter();
CREATE TRIGGER checkout_stays BEFORE DELETE OR TRUNCATE ON orders.checkout
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER refund_stays BEFORE DELETE OR TRUNCATE ON orders.refund
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER counter_stays BEFORE DELETE OR TRUNCATE ON orders.invoice_counter
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER invoice_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.invoice
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER payment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.payment
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER repayment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON orders.repayment
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
