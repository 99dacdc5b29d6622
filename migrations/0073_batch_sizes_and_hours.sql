-- How many leads go into a destination at once, as the customer set it and as its CRM was seen to bear it, and at which hours.
ALTER TABLE deliver.destination
  ADD COLUMN batch_size int CONSTRAINT destination_batch_size CHECK (batch_size BETWEEN 1 AND 10000),
  ADD COLUMN learned_batch_size int CONSTRAINT destination_learned_batch_size CHECK (learned_batch_size >= 1),
  ADD COLUMN hours text CONSTRAINT destination_hours CHECK (hours ~ '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$');
