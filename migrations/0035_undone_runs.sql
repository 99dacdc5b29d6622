-- Runs that take others back, and what they need to know. An undone run and the one that took it back cancel each other out,
-- so reads of the past pass over the changes of both.
ALTER TABLE ingest.run
  ADD COLUMN scopes_before jsonb,     -- [{scope, as_of, run_id}] before this run noted its own
  ADD COLUMN undo          jsonb,     -- {run_id, through, reason} of a run that takes one back; null for one that takes a file in
  ADD COLUMN undoes        bigint[],  -- the runs that it took back, the newest first
  ADD COLUMN undone_by     bigint;    -- the run that took this one back

CREATE INDEX run_cancelled_out ON ingest.run (run_id) WHERE undone_by IS NOT NULL OR undo IS NOT NULL;
