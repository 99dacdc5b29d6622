-- Directors of a first load lie in the order of their inserts: see 0035.
CREATE INDEX director_insert ON registry.director USING brin (insert_change_id);
