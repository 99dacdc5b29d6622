-- Webhooks of accounts: what happened to their deliveries, signed, tried again, listed and replayed.
CREATE TABLE deliver.webhook (
  webhook_id             uuid PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES access.account,
  url                    text NOT NULL,
  events                 text[] NOT NULL,       -- types that it hears of
  secret_encrypted       bytea NOT NULL,        -- sealed; what its answers are signed with
  created_at             timestamptz NOT NULL DEFAULT now(),
  removed_at             timestamptz
);
CREATE INDEX webhook_account ON deliver.webhook (account_id) WHERE removed_at IS NULL;

CREATE TABLE deliver.event (
  event_id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  type                   text NOT NULL,
  data                   jsonb NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX event_account ON deliver.event (account_id, created_at DESC);

-- One event on its way to one webhook.
CREATE TABLE deliver.notice (
  event_id               uuid NOT NULL REFERENCES deliver.event ON DELETE CASCADE,
  webhook_id             uuid NOT NULL REFERENCES deliver.webhook,
  state                  text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts               integer NOT NULL DEFAULT 0,
  next_attempt_at        timestamptz NOT NULL DEFAULT now(),
  last_status            integer,               -- of HTTP; null where no answer came
  last_error             text,
  delivered_at           timestamptz,
  PRIMARY KEY (event_id, webhook_id)
);
CREATE INDEX notice_due ON deliver.notice (next_attempt_at) WHERE state = 'pending';
-- Lists and metrics ask for what changed lately.
CREATE INDEX delivery_updated ON deliver.delivery (updated_at DESC);
