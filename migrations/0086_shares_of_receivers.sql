-- Webhooks get a share each: what a receiver that does not answer has coming waits for it, and nobody else's does. Replays are counted.
ALTER TABLE deliver.webhook ADD COLUMN host text;  -- of its url; null where a program of before added it since
UPDATE deliver.webhook SET host = lower(substring(url FROM '://([^/?#]+)'));
ALTER TABLE deliver.event ADD COLUMN replays integer NOT NULL DEFAULT 0;
ALTER TABLE deliver.notice ADD COLUMN due_since timestamptz NOT NULL DEFAULT now();  -- the event, or its last replay
CREATE INDEX notice_due_of_webhook ON deliver.notice (webhook_id, next_attempt_at) WHERE state = 'pending';

-- Hosts that did not answer lately, across accounts: one row from the first failure to the next answer in time.
CREATE TABLE deliver.receiver (
  host                   text PRIMARY KEY,
  failures               integer NOT NULL,          -- since its last answer in time
  paused_until           timestamptz                -- null: it is called as ever
);
