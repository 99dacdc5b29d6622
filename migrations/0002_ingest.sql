-- Runs, rejects, history and feeds: what ingest writes beside the registers. Staging tables live in this schema
-- too, one unlogged table per run named stage_<run_id>, dropped when the run ends.

CREATE SCHEMA ingest;

CREATE TABLE ingest.run (
  run_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source                 text NOT NULL,
  input                  text NOT NULL,         -- path or address as given
  mode                   text NOT NULL CHECK (mode IN ('snapshot', 'delta')),
  as_of                  date NOT NULL,
  force                  boolean NOT NULL DEFAULT false,
  status                 text NOT NULL CHECK (status IN ('queued', 'fetching', 'staging', 'checking', 'merging',
                           'needs_approval', 'succeeded', 'no_op', 'failed', 'discarded')),
  attempt                integer NOT NULL DEFAULT 0,   -- fencing token: a late attempt writes nothing
  sha256                 text,
  bytes                  bigint,
  header                 text[],
  covered                text[],                -- target columns that the file's header covers
  scopes                 text[],                -- for mca-companies the registrars in the file
  rows_read              bigint NOT NULL DEFAULT 0,
  inserted               bigint NOT NULL DEFAULT 0,
  updated                bigint NOT NULL DEFAULT 0,
  unchanged              bigint NOT NULL DEFAULT 0,
  closed                 bigint NOT NULL DEFAULT 0,
  rejected               bigint NOT NULL DEFAULT 0,
  progress               jsonb NOT NULL DEFAULT '{}',  -- live: step, bytes_read, bytes_total, rows
  report                 jsonb NOT NULL DEFAULT '{}',  -- rejects by code, healings, unknown values, drift, seconds by step
  error                  jsonb,                 -- {code, message} of a failed run; reasons of needs_approval
  requested_by           text NOT NULL DEFAULT 'operator',
  created_at             timestamptz NOT NULL DEFAULT now(),
  started_at             timestamptz,
  finished_at            timestamptz,
  seconds                double precision,
  CHECK (status <> 'succeeded' OR rows_read = inserted + updated + unchanged + rejected)
);
CREATE INDEX run_by_source ON ingest.run (source, run_id DESC);
CREATE INDEX run_by_content ON ingest.run (source, sha256) WHERE status = 'succeeded';

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
  entity                 text NOT NULL,         -- company, gst, director, directorship, contact, hsn, …
  identifier             text NOT NULL,
  run_id                 bigint NOT NULL,
  kind                   text NOT NULL CHECK (kind IN ('insert', 'update', 'close', 'reopen')),
  as_of                  date NOT NULL,
  before                 jsonb,                 -- only the fields that changed
  after                  jsonb,
  changed_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX change_by_record ON ingest.change (entity, identifier, change_id);
CREATE INDEX change_by_run ON ingest.change (run_id);

-- Recently registered records: a narrow projection of the registers, kept in step by every merge.
CREATE SCHEMA feed;

CREATE TABLE feed.registration (
  dataset                text NOT NULL CHECK (dataset IN ('gst', 'company', 'director')),
  identifier             text NOT NULL,
  registered_on          date NOT NULL,
  state                  text,
  district               text,
  pincode                text,
  status                 text,
  business_type          text,
  name_key               text NOT NULL,
  PRIMARY KEY (dataset, identifier)
);
CREATE INDEX registration_by_day ON feed.registration (dataset, registered_on DESC, identifier);
CREATE INDEX registration_by_state ON feed.registration (dataset, state, registered_on DESC, identifier);

-- Counts within one entitlement's territory and window, recomputed after each merge that touches it.
CREATE TABLE feed.window_count (
  entitlement_id         uuid NOT NULL,
  state                  text NOT NULL,         -- '' where unknown
  registered_on          date NOT NULL,
  total                  bigint NOT NULL,
  PRIMARY KEY (entitlement_id, state, registered_on)
);

-- Rises by one with every merge; cached totals name the version they were counted at.
CREATE TABLE registry.version (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL DEFAULT 0,
  run_id                 bigint,
  changed_at             timestamptz NOT NULL DEFAULT now()
);
