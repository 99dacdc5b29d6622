-- Rows that a buyer's CRM refused beyond a share wait for an operator, as the reports of buyers do.
ALTER TABLE orders.dispute
  ADD COLUMN reported_by text NOT NULL DEFAULT 'buyer' CHECK (reported_by IN ('buyer', 'system'));
DROP FUNCTION IF EXISTS ledger.settle_undelivered(integer, integer);
