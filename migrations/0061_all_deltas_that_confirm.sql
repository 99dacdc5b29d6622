-- The other deltas, of the same or earlier days, that found the record so as well: when the newest is undone, they still count.
ALTER TABLE ingest.confirmation ADD COLUMN others bigint[] NOT NULL DEFAULT '{}';
