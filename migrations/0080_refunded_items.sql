-- A refund of a part of the money says which rows it takes back.
ALTER TABLE orders.refund
  ADD COLUMN items uuid[],                       -- that it was asked for; null: none was named
  ADD COLUMN taken uuid[];                       -- that it took back; null: not made yet, or everything that was paid for
DROP FUNCTION IF EXISTS orders.take_sale_back(bigint[], bigint, boolean);
