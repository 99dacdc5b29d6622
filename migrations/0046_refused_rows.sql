-- A refused row goes again once its data changed: by a later reading of the register, or mended by hand.
ALTER TABLE deliver.record
  ADD COLUMN reading           jsonb,           -- flat row that the register gave after its lead was refused; null: the lead's
  ADD COLUMN reading_run_id    bigint,          -- run that last changed the record then
  ADD COLUMN mend              jsonb,           -- column -> {was, now}: by hand, for as long as the register says `was`
  ADD COLUMN compared_version  bigint;          -- of its register, when a refused row was last compared with it
CREATE INDEX record_refused ON deliver.record (coalesce(compared_version, -1)) WHERE state = 'rejected';
-- What a receipt names where the lead was read again.
ALTER TABLE deliver.delivery ADD COLUMN reading_run_id bigint;
