-- What an account owes is read at each call for its profile: of its transfers those of debts are few, however many it has.
CREATE INDEX transfer_debt ON ledger.transfer (customer_id) INCLUDE (kind, amount)
  WHERE kind IN ('owe', 'overpay', 'collect', 'write_off');
