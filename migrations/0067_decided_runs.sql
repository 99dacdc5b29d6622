-- What an operator decided of a run that waited, and why, kept with the run as that of an undo is; the trail has every decision.
ALTER TABLE ingest.run ADD COLUMN decision jsonb;
