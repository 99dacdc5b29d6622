-- Destinations, what is desired and acknowledged in each CRM, and the events that accounts are notified of.

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
  leased_until           timestamptz,
  deliver                text NOT NULL DEFAULT 'automatic'
    CHECK (deliver ~ '^(automatic|approved|manual|([01][0-9]|2[0-3]):[0-5][0-9])$'),
  verified_account       text,                  -- what the CRM itself said whose account it is
  record_urls            jsonb NOT NULL DEFAULT '{}',  -- type of record -> its page in the CRM, {id} for the CRM's id
  failures               integer NOT NULL DEFAULT 0,  -- in a row, since the CRM last answered well
  failure                jsonb,                 -- {code, message, at} of the last one
  retry_at               timestamptz,           -- no call before it
  -- What it says of single fields of its CRM, in place of the connector's own mapping.
  mapping                jsonb NOT NULL DEFAULT '[]',
  -- Of the CRM account's daily calls: what deliveries leave to the customer's other programs.
  customer_share         real NOT NULL DEFAULT 0.2 CONSTRAINT destination_customer_share CHECK (customer_share BETWEEN 0 AND 0.9),
  -- Leads at once, as the customer set it.
  batch_size             integer CONSTRAINT destination_batch_size CHECK (batch_size BETWEEN 1 AND 10000),
  -- As its CRM was seen to bear it.
  learned_batch_size     integer CONSTRAINT destination_learned_batch_size CHECK (learned_batch_size >= 1),
  hours                  text                   -- at which leads go
    CONSTRAINT destination_hours CHECK (hours ~ '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- Share of rejected leads at which it is paused; null: never. And the answers since it was last judged.
  pause_at_rejected      double precision CONSTRAINT destination_pause_at_rejected CHECK (pause_at_rejected BETWEEN 0.01 AND 1),
  answered_rows          integer NOT NULL DEFAULT 0,
  rejected_rows          integer NOT NULL DEFAULT 0,
  -- What its records are there: an org may hold the same leads as Leads and as Accounts.
  verified_holds         text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX destination_name ON deliver.destination (account_id, name) WHERE status <> 'removed';

-- Mappings as they were saved, each with who and when; version 0, which is not here, sets no field.
CREATE TABLE deliver.mapping_version (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  version                integer NOT NULL CHECK (version > 0),
  fields                 jsonb NOT NULL,
  saved_at               timestamptz NOT NULL DEFAULT now(),
  saved_by               text NOT NULL,         -- the key by what is shown of it, or the operator
  restored_from          integer,               -- the version that was restored
  PRIMARY KEY (destination_id, version)
);

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
  delivery_id            uuid NOT NULL DEFAULT gen_random_uuid(),
  version                timestamptz,
  reading_run_id         bigint,                -- what a receipt names where the lead was read again
  PRIMARY KEY (destination_id, item_id)
);
CREATE INDEX delivery_order ON deliver.delivery (order_id);
CREATE INDEX delivery_external ON deliver.delivery (destination_id, external_id);
CREATE UNIQUE INDEX delivery_id ON deliver.delivery (delivery_id);
-- Lists and metrics ask for what changed lately.
CREATE INDEX delivery_updated ON deliver.delivery (updated_at DESC);
CREATE INDEX delivery_refused ON deliver.delivery (updated_at) WHERE state = 'rejected';

CREATE TABLE deliver.push (
  push_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  order_id               uuid NOT NULL REFERENCES orders.purchase,
  status                 text NOT NULL CHECK (status IN ('queued', 'running', 'finished', 'failed')),
  fence                  uuid,                  -- the newest attempt
  counts                 jsonb NOT NULL DEFAULT '{}',
  error                  jsonb,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  finished_at            timestamptz,
  asked_by               text NOT NULL DEFAULT 'request' CHECK (asked_by IN ('request', 'order')),
  due_at                 timestamptz NOT NULL DEFAULT now(),
  enqueued_at            timestamptz,
  enqueued_through       integer                -- position of the last item of its order that became a desired record
);
CREATE INDEX push_order ON deliver.push (order_id, requested_at DESC);
CREATE INDEX push_waiting ON deliver.push (destination_id, due_at) WHERE status IN ('queued', 'running');
-- An order is delivered automatically once into each destination, however often the job runs that asks for it.
CREATE UNIQUE INDEX push_of_order ON deliver.push (order_id, destination_id) WHERE asked_by = 'order';
CREATE INDEX push_failed ON deliver.push (finished_at) WHERE status = 'failed';

-- One token bucket per remote account, shared by all workers.
CREATE TABLE deliver.limiter (
  remote_account         text PRIMARY KEY,
  tokens                 double precision NOT NULL,
  refilled_at            timestamptz NOT NULL DEFAULT now(),
  blocked_until          timestamptz,           -- set by 429 and quota headers
  daily_used             bigint,
  daily_limit            bigint,
  daily_read_at          timestamptz,
  calls_per_second       double precision,
  burst                  double precision       -- calls at once, after a rest
);

-- One row per destination and record. Orders only raise what is desired; the state moves only by the CRM's answer.
CREATE TABLE deliver.record (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  item_id                uuid NOT NULL REFERENCES orders.item,  -- whose lead is desired
  version                timestamptz NOT NULL,  -- when that lead was read from the register; the newest wins
  desired_sha256         bytea NOT NULL,        -- of that lead
  state                  text NOT NULL CHECK (state IN ('pending', 'sending', 'acknowledged', 'rejected', 'unknown')),
  outcome                text CHECK (outcome IN ('created', 'updated', 'unchanged')),
  sent_item_id           uuid,                  -- whose lead was sent last
  sent_version           timestamptz,
  sent_sha256            bytea,
  acknowledged_sha256    bytea,                 -- of what the CRM is known to hold
  acknowledged_at        timestamptz,
  pushed_values          jsonb,                 -- acknowledged value per CRM field, for if_unchanged ownership
  crm_id                 text,
  attempts               integer NOT NULL DEFAULT 0,
  last_error             jsonb,                 -- {code, field, message}
  next_attempt_at        timestamptz,
  fence                  uuid,                  -- the lease that holds the row; a late holder writes nothing
  updated_at             timestamptz NOT NULL DEFAULT now(),
  reading                jsonb,                 -- flat row that the register gave after its lead was refused; null: the lead's
  reading_run_id         bigint,                -- run that last changed the record then
  fixes                  jsonb,                 -- column -> {was, now}: by hand, for as long as the register says `was`
  compared_version       bigint,                -- of its register, when a refused row was last compared with it
  -- Items whose leads were sent since the last acknowledgement and may stand in the CRM all the same.
  unconfirmed            uuid[],
  recreate               boolean NOT NULL DEFAULT false,  -- asked for again after somebody deleted it in the CRM: made anew, once
  PRIMARY KEY (destination_id, external_id)
);
CREATE INDEX record_open ON deliver.record (destination_id, next_attempt_at) WHERE state IN ('pending', 'sending', 'unknown');
CREATE INDEX record_refused ON deliver.record (coalesce(compared_version, -1)) WHERE state = 'rejected';
CREATE INDEX record_pending ON deliver.record (destination_id, external_id) WHERE coalesce(state = 'pending', false);

-- What had reached a CRM when somebody objected or an import was undone, and what the CRM answered to its erasure.
CREATE TABLE deliver.recall (
  recall_id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  crm_id                 text,                  -- link to the vendor's record, where one was acknowledged
  status                 text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'erased', 'gone', 'kept', 'failed')),
  answer                 jsonb,                 -- of the CRM: the receipt
  attempts               integer NOT NULL DEFAULT 0,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  settled_at             timestamptz,
  reason                 text NOT NULL DEFAULT 'objection' CHECK (reason IN ('objection', 'undone'))
);
CREATE UNIQUE INDEX recall_open ON deliver.recall (destination_id, external_id) WHERE status = 'pending';
CREATE INDEX recall_newest ON deliver.recall (requested_at DESC);

-- The keys that sign receipts of deliveries. A receipt is verified for years, so a key that signs no more stays.
CREATE TABLE deliver.receipt_key (
  kid                    text PRIMARY KEY,      -- RFC 7638 thumbprint of the public half
  public_jwk             jsonb NOT NULL,
  private_encrypted      bytea NOT NULL,        -- sealed; empty once it is lost
  created_at             timestamptz NOT NULL DEFAULT now()
);

-- Webhooks of accounts: what happened to their deliveries, signed, tried again, listed and replayed.
CREATE TABLE deliver.webhook (
  webhook_id             uuid PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES access.account,
  url                    text NOT NULL,
  events                 text[] NOT NULL,       -- types that it hears of
  secret_encrypted       bytea NOT NULL,        -- sealed; what its answers are signed with
  created_at             timestamptz NOT NULL DEFAULT now(),
  removed_at             timestamptz,
  host                   text                   -- of its url; null where a program of before added it since
);
CREATE INDEX webhook_account ON deliver.webhook (account_id) WHERE removed_at IS NULL;

CREATE TABLE deliver.event (
  event_id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  type                   text NOT NULL,
  data                   jsonb NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  replays                integer NOT NULL DEFAULT 0
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
  due_since              timestamptz NOT NULL DEFAULT now(),  -- the event, or its last replay
  PRIMARY KEY (event_id, webhook_id)
);
CREATE INDEX notice_due ON deliver.notice (next_attempt_at) WHERE state = 'pending';
CREATE INDEX notice_due_of_webhook ON deliver.notice (webhook_id, next_attempt_at) WHERE state = 'pending';

-- E-mails to accounts about their deliveries, queued in the transaction that makes them true.
CREATE TABLE deliver.mail (
  mail_id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  type                   text NOT NULL,
  about                  text NOT NULL,         -- one waits for each of these at a time; what comes meanwhile joins it
  data                   jsonb NOT NULL,
  state                  text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts               integer NOT NULL DEFAULT 0,
  next_attempt_at        timestamptz NOT NULL,
  last_error             text,
  created_at             timestamptz NOT NULL DEFAULT now(),
  sent_at                timestamptz
);
CREATE UNIQUE INDEX mail_waiting ON deliver.mail (account_id, type, about) WHERE state = 'pending' AND attempts = 0;
CREATE INDEX mail_due ON deliver.mail (next_attempt_at) WHERE state = 'pending';
CREATE INDEX mail_account ON deliver.mail (account_id);

-- What an account wants no e-mail about.
CREATE TABLE deliver.mail_choice (
  account_id             uuid PRIMARY KEY REFERENCES access.account,
  unwanted               text[] NOT NULL DEFAULT '{}'
);

-- A push that outlives the process that began it: what the connector keeps of a job in the CRM. The records that are in flight
-- with it are those of the destination that are being sent under the same fence.
CREATE TABLE deliver.job_under_way (
  destination_id         uuid PRIMARY KEY REFERENCES deliver.destination,
  fence                  uuid NOT NULL,
  kept                   jsonb NOT NULL,        -- the connector's own; handed back to it with the leads
  began_at               timestamptz NOT NULL DEFAULT now()
);

-- Sign-ins at a CRM's own page: begun by an account, allowed by a browser, finished by whoever began it. What is secret about
-- one is kept as a hash, or sealed until it is finished.
CREATE TABLE deliver.consent (
  consent_id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id             uuid NOT NULL REFERENCES access.account,
  begun_by               text NOT NULL,         -- the session, or the operator's commands
  connector              text NOT NULL,
  destination_id         uuid REFERENCES deliver.destination,  -- whose credentials are renewed
  redirect_uri           text NOT NULL,
  state_sha256           bytea NOT NULL UNIQUE,
  word_sha256            bytea UNIQUE,          -- shown to the browser that allowed it, and to nobody else
  sealed                 bytea NOT NULL,        -- settings, verifier and code; empty once it is finished
  created_at             timestamptz NOT NULL DEFAULT now(),
  expires_at             timestamptz NOT NULL,
  answered_at            timestamptz,
  finished_at            timestamptz
);
CREATE INDEX consent_account ON deliver.consent (account_id);
CREATE INDEX consent_destination ON deliver.consent (destination_id);

-- Records of a CRM that its owner had before and let us take for leads. They are written to like others and never deleted by us.
CREATE TABLE deliver.adoption (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  crm_id                 text NOT NULL,
  external_id            text NOT NULL,         -- of the lead that the record stands for: company:CIN, director:DIN, gst:GSTIN
  adopted_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (destination_id, crm_id)
);

-- Hosts that did not answer lately, across accounts: one row from the first failure to the next answer in time.
CREATE TABLE deliver.receiver (
  host                   text PRIMARY KEY,
  failures               integer NOT NULL,      -- since its last answer in time
  paused_until           timestamptz            -- null: it is called as ever
);

-- Functions of triggers stand in migrations/functions, which are applied after the tables. Until then they refuse every write.
CREATE FUNCTION deliver.settle_acknowledged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

CREATE TRIGGER acknowledged_settles AFTER INSERT ON deliver.delivery
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION deliver.settle_acknowledged();
CREATE TRIGGER acknowledgement_settles AFTER UPDATE ON deliver.delivery
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION deliver.settle_acknowledged();
