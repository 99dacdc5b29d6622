-- A destination that is turned to another account of its CRM keeps its deliveries, whose ids are those of the account that took them.

ALTER TABLE deliver.delivery
  ADD COLUMN remote_account text;  -- where crm_id is, as the CRM called it; null: in the account that the destination leads into
