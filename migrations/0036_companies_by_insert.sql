-- Companies of a first load lie in the order of their inserts: see 0035.
CREATE INDEX company_insert ON registry.company USING brin (insert_change_id);
