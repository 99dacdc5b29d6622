-- A lead that was sent and whose answer never came may stand in the CRM all the same. Whoever sends a newer one must know what
-- may stand there, or takes it for the edit of somebody in the CRM and leaves it: the items whose leads were sent into a record
-- since the CRM acknowledged it last, and of which nobody knows whether they arrived. Null: none.
ALTER TABLE deliver.record ADD COLUMN in_doubt uuid[];
