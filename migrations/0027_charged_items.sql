-- Every credit that an item cost is tied to the transfer that paid for it; and the moves of orders and items are kept by
-- the database, whatever statement asks for another.

-- Which transfer paid for an item; null for one that was not charged.
ALTER TABLE orders.item ADD COLUMN charge_id bigint;
UPDATE orders.item SET charge_id = transfer.transfer_id
FROM ledger.transfer WHERE transfer.kind = 'spend' AND transfer.order_id = item.order_id;
ALTER TABLE orders.item ADD CONSTRAINT item_charge_of_its_order
  FOREIGN KEY (charge_id, order_id) REFERENCES ledger.transfer (transfer_id, order_id);
CREATE INDEX item_charge ON orders.item (charge_id) WHERE charge_id IS NOT NULL;
ALTER TABLE orders.item
  ADD COLUMN refund_reason text CHECK (refund_reason IN ('no_contact', 'dispute', 'operator')),
  ADD CONSTRAINT item_refunded_was_charged CHECK (refunded_at IS NULL OR charge_id IS NOT NULL);
UPDATE orders.item SET refund_reason = 'no_contact' WHERE refunded_at IS NOT NULL;

-- The functions stand in migrations/functions; until those are applied nothing moves.
CREATE FUNCTION orders.guard_purchase() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE FUNCTION orders.guard_item() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
-- Orders and items move along one table of transitions, also where a statement is wrong.
CREATE TRIGGER purchase_guarded BEFORE UPDATE ON orders.purchase
  FOR EACH ROW EXECUTE FUNCTION orders.guard_purchase();
CREATE TRIGGER item_guarded BEFORE UPDATE ON orders.item FOR EACH ROW EXECUTE FUNCTION orders.guard_item();
