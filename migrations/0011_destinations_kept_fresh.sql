-- Whether a destination is sent what imports change on the records that it holds, and when its account was last told of it.

ALTER TABLE deliver.destination
  ADD COLUMN keep text NOT NULL DEFAULT 'delivered' CONSTRAINT destination_keep CHECK (keep IN ('delivered', 'fresh')),
  ADD COLUMN fresh_told_on date;                -- day in India of the newest notice
