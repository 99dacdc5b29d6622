-- Every address of a company that was found valid; email keeps the first. Null where none is, and in rows of before.
ALTER TABLE registry.company ADD COLUMN emails text[];
