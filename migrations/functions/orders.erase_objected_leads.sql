-- Erases what orders hold of a person who objected: leads that are about the person, what a delivery read of them anew, what was fixed
-- by hand and what was sent, and the names that buyers gave. Identifiers stay, since credits are counted by them. Of entries of the suppression list alone, by their
-- own hash: where its key is lost nothing is erased. @returns how many leads were there.
CREATE OR REPLACE FUNCTION orders.erase_objected_leads() RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  items uuid[];
  erased bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM access.suppression WHERE kind IN ('din', 'pan')) THEN RETURN 0; END IF;
  SELECT array_agg(i.item_id) INTO items FROM orders.item i
  JOIN access.suppression s ON s.kind = CASE i.type WHEN 'director' THEN 'din' ELSE 'pan' END
    AND s.hash = access.suppression_hash(s.kind, i.identifier)
  WHERE i.type = 'director' OR i.type = 'gst' AND substr(i.identifier, 6, 1) = 'P';
  IF items IS NULL THEN RETURN 0; END IF;
  UPDATE deliver.record r SET reading = NULL, fixes = NULL
  FROM (SELECT destination_id, external_id FROM deliver.record
    WHERE item_id = ANY (items) AND (reading IS NOT NULL OR fixes IS NOT NULL)
    -- All writers lock the rows in this order.
    ORDER BY destination_id, external_id FOR UPDATE) AS held
  WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id;
  DELETE FROM deliver.attempt a USING orders.item i
  WHERE i.item_id = ANY (items) AND a.external_id = i.type || ':' || i.identifier;
  UPDATE orders.item SET name = identifier WHERE item_id = ANY (items) AND name <> identifier;
  -- What was bought stays paid for, and is owed no lead any more: its order would wait for one, and its next reader would get the credit
  -- back, as of a lead that was never built.
  UPDATE orders.item SET has_contact = false
  WHERE item_id = ANY (items) AND EXISTS (SELECT FROM orders.lead WHERE lead.item_id = item.item_id);
  DELETE FROM orders.lead WHERE item_id = ANY (items);
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;
