-- A destination that is turned to another account of its CRM leaves what the account before holds to a removed destination of that
-- account, which names the one that was turned.

ALTER TABLE deliver.destination
  ADD COLUMN former_of uuid REFERENCES deliver.destination;  -- not null: no destination that anybody added
CREATE UNIQUE INDEX destination_former ON deliver.destination (former_of, verified_account, verified_holds) WHERE former_of IS NOT NULL;
