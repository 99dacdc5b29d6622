-- Delivery into CRMs: destinations with encrypted settings, and one ledger row per (destination, order item).

CREATE SCHEMA deliver;

CREATE TABLE deliver.destination (
  destination_id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  connector              text NOT NULL,         -- a name of connectors/index.ts
  name                   text NOT NULL,
  settings_encrypted     bytea NOT NULL,        -- AES-256-GCM; destination id and account id as additional data
  remote_account         text NOT NULL,         -- key of the limiter: org or portal, shared by destinations into it
  status                 text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'broken', 'removed')),
  status_reason          text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  set_up_at              timestamptz,
  leased_to              uuid,                  -- the push that writes into it now; one at a time
  leased_until           timestamptz
);
CREATE UNIQUE INDEX destination_name ON deliver.destination (account_id, name) WHERE status <> 'removed';

-- sent = acknowledged (created + updated + unchanged) + rejected + unknown, always.
CREATE TABLE deliver.delivery (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  item_id                uuid NOT NULL REFERENCES orders.item,
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  state                  text NOT NULL CHECK (state IN ('pending', 'sending', 'acknowledged', 'rejected', 'unknown')),
  outcome                text CHECK (outcome IN ('created', 'updated', 'unchanged')),
  payload_sha256         bytea,                 -- of the payload that was last acknowledged
  pushed_values          jsonb,                 -- last acknowledged value per field, for if_unchanged ownership
  crm_id                 text,
  attempts               integer NOT NULL DEFAULT 0,
  last_error             jsonb,                 -- {code, field, message}
  next_attempt_at        timestamptz,
  push_id                uuid,                  -- the push that last took the row
  fence                  uuid,                  -- the attempt that holds the row; a late attempt writes nothing
  first_sent_at          timestamptz,
  acknowledged_at        timestamptz,
  updated_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (destination_id, item_id)
);
CREATE INDEX delivery_order ON deliver.delivery (order_id);
CREATE INDEX delivery_external ON deliver.delivery (destination_id, external_id);

CREATE TABLE deliver.push (
  push_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  status                 text NOT NULL CHECK (status IN ('queued', 'running', 'finished', 'failed')),
  fence                  uuid,                  -- the newest attempt
  counts                 jsonb NOT NULL DEFAULT '{}',
  error                  jsonb,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  finished_at            timestamptz
);
CREATE INDEX push_order ON deliver.push (order_id, requested_at DESC);

-- One token bucket per remote account, shared by all workers.
CREATE TABLE deliver.limiter (
  remote_account         text PRIMARY KEY,
  tokens                 double precision NOT NULL,
  refilled_at            timestamptz NOT NULL DEFAULT now(),
  blocked_until          timestamptz,           -- set by 429 and quota headers
  daily_used             bigint,
  daily_limit            bigint,
  daily_read_at          timestamptz
);
