-- The share of a CRM account's daily calls that deliveries leave to the customer's other programs is the customer's own choice.
ALTER TABLE deliver.destination ADD COLUMN customer_share real NOT NULL DEFAULT 0.2
  CONSTRAINT destination_customer_share CHECK (customer_share >= 0 AND customer_share <= 0.9);
