-- A key that was replaced makes room for its replacement, and works for a while beside it.
ALTER TABLE access.api_key ADD COLUMN replaced_at timestamptz;
