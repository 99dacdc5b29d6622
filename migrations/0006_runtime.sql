-- Cron slots and schedules: each slot of a schedule is claimed by one process and enqueued once.

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
