-- Schedules, operators' notifications, and the keys of an instance. The schema itself and its list of applied migrations are made by src/db/migrate.ts.

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

-- Where operators are notified of the conditions of the instance. What is there of the environment is kept equal to it by workers.
CREATE TABLE runtime.alert_channel (
  channel_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind                   text NOT NULL CHECK (kind IN ('webhook', 'slack', 'mail')),
  shown                  text NOT NULL,         -- what everybody may see of the address
  address_encrypted      bytea NOT NULL,        -- sealed: a URL may be a secret as a whole; empty once removed
  secret_encrypted       bytea NOT NULL DEFAULT '', -- sealed; what messages to a webhook are signed with
  origin                 text NOT NULL CHECK (origin IN ('console', 'environment')),
  created_at             timestamptz NOT NULL DEFAULT now(),
  created_by             text NOT NULL,
  removed_at             timestamptz
);

-- Conditions of the instance: one row per cause, from the first time that it arose.
CREATE TABLE runtime.condition (
  cause                  text PRIMARY KEY,      -- the type with the labels of its sample
  type                   text NOT NULL,         -- of config/conditions.ts
  severity               text NOT NULL CHECK (severity IN ('page', 'ticket')),
  labels                 jsonb NOT NULL,
  summary                text NOT NULL,
  remedy                 text NOT NULL,
  for_seconds            integer NOT NULL,      -- it counts once it has held for so long
  again_after_hours      double precision[] NOT NULL,
  since                  timestamptz NOT NULL DEFAULT now(),
  told_at                timestamptz,           -- of the last notification that it had arisen, also before it was resolved
  times_told             integer NOT NULL DEFAULT 0, -- since then
  resolved_at            timestamptz
);

-- Notifications on their way to a channel.
CREATE TABLE runtime.alert_message (
  message_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  channel_id             uuid NOT NULL REFERENCES runtime.alert_channel,
  body                   jsonb NOT NULL,
  state                  text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts               integer NOT NULL DEFAULT 0,
  next_attempt_at        timestamptz NOT NULL DEFAULT now(),
  last_error             text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  sent_at                timestamptz
);
CREATE INDEX alert_message_due ON runtime.alert_message (next_attempt_at) WHERE state = 'pending';
CREATE INDEX alert_message_newest ON runtime.alert_message (created_at DESC, message_id);
