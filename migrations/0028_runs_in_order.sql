-- What an operator has to be able to tell of a run: what a newer snapshot held back, and in which order the runs of a source
-- were applied, which is another than that of their numbers where one waited.
ALTER TABLE ingest.run
  ADD COLUMN left_alone    bigint NOT NULL DEFAULT 0, -- rows that were not applied, because a newer snapshot was before
  ADD COLUMN turn          bigint,                    -- rises within a source: when it was applied, found known, or began to wait
  ADD COLUMN approved_turn bigint,                    -- the approval holds as long as no other run has a later turn
  DROP CONSTRAINT run_check,
  ADD CONSTRAINT run_check CHECK (status <> 'succeeded' OR rows_read = inserted + updated + unchanged + left_alone + rejected);

-- Until now runs were taken to be applied in the order of their numbers. An earlier release that still runs goes on so.
UPDATE ingest.run SET turn = run_id WHERE status IN ('succeeded', 'no_op', 'needs_approval');
