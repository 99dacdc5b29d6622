-- A key that a session made knows the key of that session, with which it ends; making keys is a scope of its own, which every key
-- has that could do everything. A program of before knows no such scope, so it cannot work beside this one.
ALTER TABLE access.api_key
  DROP CONSTRAINT api_key_scopes_check,
  ADD CONSTRAINT api_key_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ '{read,order,deliver,keys}'),
  ADD COLUMN parent_key_id uuid REFERENCES access.api_key;  -- null: an operator made it
CREATE INDEX api_key_parent ON access.api_key (parent_key_id) WHERE parent_key_id IS NOT NULL;
UPDATE access.api_key SET scopes = scopes || '{keys}' WHERE scopes @> '{read,order,deliver}';
