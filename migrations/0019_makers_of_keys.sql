-- Which person made an API key; null: an operator did, or a program with another key.

ALTER TABLE access.api_key ADD COLUMN made_by uuid REFERENCES access.person;
CREATE INDEX api_key_made_by ON access.api_key (made_by) WHERE made_by IS NOT NULL;
