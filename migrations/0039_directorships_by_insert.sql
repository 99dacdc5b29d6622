-- Directorships of a first load lie in the order of their inserts: see 0035.
CREATE INDEX directorship_insert ON registry.directorship USING brin (insert_change_id);
