-- Delivery as a standing promise: per destination and record one row says what the CRM is to hold and what it acknowledged.

ALTER TABLE deliver.destination
  ADD COLUMN deliver           text NOT NULL DEFAULT 'automatic'
    CHECK (deliver ~ '^(automatic|approved|manual|([01][0-9]|2[0-3]):[0-5][0-9])$'),  -- HH:MM in Asia/Kolkata
  ADD COLUMN verified_account  text,                     -- what the CRM itself said whose account it is
  ADD COLUMN record_urls       jsonb NOT NULL DEFAULT '{}', -- type of record -> its page in the CRM, {id} for the CRM's id
  ADD COLUMN failures          integer NOT NULL DEFAULT 0,  -- in a row, since the CRM last answered well
  ADD COLUMN failure           jsonb,                    -- {code, message, at} of the last one
  ADD COLUMN retry_at          timestamptz;              -- no call before it
-- What was there before was delivered into by hand, and goes on so until its owner says otherwise.
-- Each is verified before its next delivery.
UPDATE deliver.destination SET deliver = 'manual', leased_to = NULL, leased_until = NULL, set_up_at = NULL;

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
  PRIMARY KEY (destination_id, external_id)
);
CREATE INDEX record_open ON deliver.record (destination_id, next_attempt_at) WHERE state IN ('pending', 'sending', 'unknown');

-- A delivery is what became of one order item in one destination; it follows its record.
ALTER TABLE deliver.delivery
  ADD COLUMN delivery_id       uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN version           timestamptz;
UPDATE deliver.delivery d SET version = l.built_at FROM orders.lead l WHERE l.item_id = d.item_id;
CREATE UNIQUE INDEX delivery_id ON deliver.delivery (delivery_id);

INSERT INTO deliver.record (destination_id, external_id, item_id, version, desired_sha256, state, outcome, acknowledged_sha256,
  acknowledged_at, pushed_values, crm_id, last_error)
SELECT DISTINCT ON (d.destination_id, d.external_id) d.destination_id, d.external_id, d.item_id, l.built_at,
  sha256(convert_to(l.flat::text, 'UTF8')), CASE d.state WHEN 'sending' THEN 'unknown' ELSE d.state END, d.outcome,
  last.payload_sha256, last.acknowledged_at, last.pushed_values, coalesce(d.crm_id, last.crm_id), d.last_error
FROM deliver.delivery d
JOIN orders.lead l ON l.item_id = d.item_id
LEFT JOIN LATERAL (
  SELECT o.payload_sha256, o.acknowledged_at, o.pushed_values, o.crm_id FROM deliver.delivery o
  WHERE o.destination_id = d.destination_id AND o.external_id = d.external_id AND o.acknowledged_at IS NOT NULL
  ORDER BY o.acknowledged_at DESC LIMIT 1
) last ON true
ORDER BY d.destination_id, d.external_id, l.built_at DESC, d.item_id;

-- A push asks for the leads of an order in a destination; `finished` once each of them has its answer.
ALTER TABLE deliver.push
  ADD COLUMN asked_by          text NOT NULL DEFAULT 'request' CHECK (asked_by IN ('request', 'order')),
  ADD COLUMN due_at            timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN enrolled_at       timestamptz;
UPDATE deliver.push SET status = 'queued', fence = NULL, error = NULL, finished_at = NULL WHERE status IN ('running', 'failed');
CREATE INDEX push_waiting ON deliver.push (destination_id, due_at) WHERE status IN ('queued', 'running');
-- An order is delivered by itself once into each destination, however often the job runs that asks for it.
CREATE UNIQUE INDEX push_of_order ON deliver.push (order_id, destination_id) WHERE asked_by = 'order';
