-- Runs, rejected rows and history: what ingest writes beside the registers. Work tables of a run lie in this schema, too, and
-- are dropped when it ends.

CREATE SCHEMA ingest;

CREATE TABLE ingest.run (
  run_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source                 text NOT NULL,
  input                  text NOT NULL,         -- path or address as given
  mode                   text NOT NULL CHECK (mode IN ('snapshot', 'delta')),
  as_of                  date NOT NULL,
  force                  boolean NOT NULL DEFAULT false,
  status                 text NOT NULL CHECK (status IN ('queued', 'fetching', 'staging', 'checking', 'merging',
    'needs_approval', 'succeeded', 'no_op', 'failed', 'discarded', 'cancelled', 'previewed')),
  attempt                integer NOT NULL DEFAULT 0,  -- fencing token: a late attempt writes nothing
  sha256                 text,
  bytes                  bigint,
  header                 text[],
  column_map             jsonb,                 -- column of the file → field of the source, as an operator mapped it
  covered                text[],                -- target columns that the file's header covers
  scopes                 text[],                -- for mca-companies the registrars in the file
  rows_read              bigint NOT NULL DEFAULT 0,
  inserted               bigint NOT NULL DEFAULT 0,
  updated                bigint NOT NULL DEFAULT 0,
  unchanged              bigint NOT NULL DEFAULT 0,
  closed                 bigint NOT NULL DEFAULT 0,
  rejected               bigint NOT NULL DEFAULT 0,
  progress               jsonb NOT NULL DEFAULT '{}',  -- live: step, bytes_read, bytes_total, rows
  report                 jsonb NOT NULL DEFAULT '{}',  -- rejects by code, repairs, unknown values, drift, seconds by step
  error                  jsonb,                 -- {code, message} of a failed run; reasons of needs_approval
  approved_at            timestamptz,           -- an operator let a suspicious run through its guards
  requested_by           text NOT NULL DEFAULT 'operator',
  created_at             timestamptz NOT NULL DEFAULT now(),
  started_at             timestamptz,
  finished_at            timestamptz,
  seconds                double precision,
  validators             jsonb,                 -- {url, etag, lastModified} of a file fetched by http(s)
  drop_folder            text,                  -- the watched folder or pattern that the input was taken from
  sealed_input           text,                  -- base64; NULL where the input hides nothing
  skipped             bigint NOT NULL DEFAULT 0,  -- rows that were not applied, because a newer snapshot was before
  turn                   bigint,                -- rises within a source: when it was applied, found known, or began to wait
  approved_turn          bigint,                -- the approval holds as long as no other run has a later turn
  scopes_before          jsonb,                 -- [{scope, as_of, run_id}] before this run noted its own
  undo                   jsonb,  -- {run_id, through, reason} of a run that undoes another; null for one that imports a file
  undoes                 bigint[],              -- the runs that it took back, the newest first
  undone_by              bigint,                -- the run that took this one back
  dry_run                boolean NOT NULL DEFAULT false,  -- ends as `previewed`, with nothing applied
  preview                jsonb,  -- of a dry run, and of one that waits: what would be written, by scope and by example
  decision               jsonb,                 -- what an operator decided of a run that needed approval, and why
  -- Asked for over HTTP: reads an upload or an address, never a path of the machine.
  over_http              boolean NOT NULL DEFAULT false,
  CHECK (status <> 'succeeded' OR rows_read = inserted + updated + unchanged + skipped + rejected)
);
CREATE INDEX run_by_source ON ingest.run (source, run_id DESC);
CREATE INDEX run_by_content ON ingest.run (source, sha256) WHERE status = 'succeeded';
CREATE INDEX run_by_size ON ingest.run (source, bytes) WHERE status = 'succeeded';
CREATE INDEX run_by_input ON ingest.run (source, input, run_id DESC) WHERE validators IS NOT NULL;
CREATE INDEX run_by_dropped_file ON ingest.run (input) WHERE drop_folder IS NOT NULL;
CREATE INDEX run_cancelled_out ON ingest.run (run_id) WHERE undone_by IS NOT NULL OR undo IS NOT NULL;

-- The newest snapshot applied to each scope: an older one never overwrites it.
CREATE TABLE ingest.scope (
  source                 text NOT NULL,
  scope                  text NOT NULL,         -- a registrar; '*' where a source has one scope
  as_of                  date NOT NULL,
  run_id                 bigint NOT NULL REFERENCES ingest.run,
  PRIMARY KEY (source, scope)
);

CREATE TABLE ingest.reject (
  run_id                 bigint NOT NULL REFERENCES ingest.run ON DELETE CASCADE,
  line                   bigint NOT NULL,       -- first line of the record in the file, header = 1
  code                   text NOT NULL,
  message                text NOT NULL,
  raw                    text NOT NULL,
  PRIMARY KEY (run_id, line)
);

-- Field-level history. An insert stores no values: they are the present row with later changes undone.
CREATE TABLE ingest.change (
  change_id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity                 text NOT NULL,         -- company, gst, director, directorship, contact, tariff, …
  identifier             text NOT NULL,
  run_id                 bigint NOT NULL,
  kind                   text NOT NULL CHECK (kind IN ('insert', 'update', 'close', 'reopen', 'withdraw')),
  as_of                  date NOT NULL,
  before                 jsonb,                 -- only the fields that changed
  after                  jsonb,
  changed_at             timestamptz NOT NULL DEFAULT now(),
  record_no              bigint                 -- of its file, from 1; null for what no record says, such as a closure
);
CREATE INDEX change_by_record ON ingest.change (entity, identifier, change_id);
-- Runs of different sources may interleave, but a run's rows lie together: a block range index is enough.
CREATE INDEX change_by_run ON ingest.change USING brin (run_id) WITH (autosummarize = on);

-- The spellings of config/vocabularies.ts and config/states.ts, copied here before each run so that set-based
-- checks can join them. kind: state, state-code, registrar-letters, company-status, gst-status, …
CREATE TABLE ingest.alias (
  kind                   text NOT NULL,
  key                    text NOT NULL,         -- ingest.word_key of a spelling
  value                  text NOT NULL,         -- the one spelling that Panji answers with
  PRIMARY KEY (kind, key)
);

-- The day from which reads of the past are answered; what superseded values lay before it was thinned out.
CREATE TABLE ingest.history_retention (
  only_row               boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  retained_from          date NOT NULL,
  pruned_at              timestamptz NOT NULL DEFAULT now()
);

-- The line of a record is its number plus the offset of the last entry at or before it. A file whose records are one line
-- each has one entry; each record of several lines, and each line that is no record, adds one.
CREATE TABLE ingest.line_offset (
  run_id                 bigint NOT NULL REFERENCES ingest.run ON DELETE CASCADE,
  record_no              bigint NOT NULL,
  line_offset            bigint NOT NULL,
  PRIMARY KEY (run_id, record_no)
);
