-- Runs that an operator stopped, and runs that only show what they would do.
ALTER TABLE ingest.run
  ADD COLUMN dry_run boolean NOT NULL DEFAULT false, -- ends as `previewed`, with nothing applied
  ADD COLUMN preview jsonb,                          -- of a dry run, and of one that waits: what would be written, by scope and by example
  DROP CONSTRAINT run_status_check,
  ADD CONSTRAINT run_status_check CHECK (status IN ('queued', 'fetching', 'staging', 'checking', 'merging',
    'needs_approval', 'succeeded', 'no_op', 'failed', 'discarded', 'cancelled', 'previewed'));
