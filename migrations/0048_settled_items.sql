-- Which transfer spent the held credit of an item. Whatever statement acknowledges a delivery spends it, in the same transaction.
ALTER TABLE orders.item
  ADD COLUMN settled_id bigint,
  ADD CONSTRAINT item_settled_by_its_order FOREIGN KEY (settled_id, order_id) REFERENCES ledger.transfer (transfer_id, order_id),
  ADD CONSTRAINT item_settled_was_charged CHECK (settled_id IS NULL OR charge_id IS NOT NULL),
  DROP CONSTRAINT item_refund_reason_check,
  ADD CONSTRAINT item_refund_reason_check CHECK (refund_reason IN ('no_contact', 'dispute', 'operator', 'refused'));
CREATE INDEX item_settled ON orders.item (settled_id) WHERE settled_id IS NOT NULL;

-- The function stands in migrations/functions; until it is applied nothing is acknowledged.
CREATE FUNCTION deliver.settle_acknowledged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;
CREATE TRIGGER acknowledged_settles AFTER INSERT ON deliver.delivery
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION deliver.settle_acknowledged();
CREATE TRIGGER acknowledgement_settles AFTER UPDATE ON deliver.delivery
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION deliver.settle_acknowledged();
CREATE INDEX delivery_refused ON deliver.delivery (updated_at) WHERE state = 'rejected';
