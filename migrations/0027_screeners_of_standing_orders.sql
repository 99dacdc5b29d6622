-- A standing order has its own copy of the query of a saved screener, and names the screener while there is one.

UPDATE orders.standing_query SET screener_id = NULL
WHERE screener_id IS NOT NULL AND NOT EXISTS (SELECT FROM access.screener s WHERE s.screener_id = standing_query.screener_id);
ALTER TABLE orders.standing_query
  ADD CONSTRAINT standing_query_screener_fkey FOREIGN KEY (screener_id) REFERENCES access.screener ON DELETE SET NULL;
CREATE INDEX standing_query_screener ON orders.standing_query (screener_id) WHERE screener_id IS NOT NULL;
