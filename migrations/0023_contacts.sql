-- Contacts as they can be used: every address and number that was found valid, of each who collected them. The columns
-- email, mobile and phone keep the first of each kind for readers of the previous release. A list is null where nothing
-- valid is known, and in rows of before.
ALTER TABLE registry.contact ADD COLUMN emails text[], ADD COLUMN mobiles text[], ADD COLUMN landlines text[];
CREATE INDEX contact_of_record ON registry.contact (entity, identifier);
