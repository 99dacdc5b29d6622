-- Contacts of a first load lie in the order of their inserts: see 0035.
CREATE INDEX contact_insert ON registry.contact USING brin (insert_change_id);
