-- Schedules, and the keys of an instance. The schema itself and its list of applied migrations are made by src/db/migrate.ts.

CREATE TABLE runtime.schedule (
  name                   text PRIMARY KEY,
  cron                   text NOT NULL,
  timezone               text NOT NULL DEFAULT 'Asia/Kolkata',
  job                    text NOT NULL,         -- a queue of src/queue/queues.ts
  payload                jsonb NOT NULL DEFAULT '{}',
  origin                 text NOT NULL CHECK (origin IN ('config', 'operator')),
  paused_at              timestamptz,
  created_at             timestamptz NOT NULL DEFAULT now(),
  last_slot              timestamptz            -- the newest slot that was enqueued
);

CREATE TABLE runtime.cron_slot (
  schedule               text NOT NULL,
  slot                   timestamptz NOT NULL,
  claimed_at             timestamptz NOT NULL DEFAULT now(),
  claimed_by             text NOT NULL,
  job_id                 uuid,                  -- null for an overrun: the job of the slot before was still open
  PRIMARY KEY (schedule, slot)
);

-- One row, sealed under the secret key that everything else is sealed under.
CREATE TABLE runtime.secret_canary (
  only_one               boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  key_id                 text NOT NULL,
  sealed                 bytea NOT NULL,
  sealed_at              timestamptz NOT NULL DEFAULT now()
);

-- The key of those hashes, sealed under PANJI_SECRET_KEY. A rotation seals it anew and leaves it as it is.
CREATE TABLE runtime.suppression_key (
  only_one               boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  sealed                 bytea NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now()
);
