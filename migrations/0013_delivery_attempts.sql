-- What was sent for each lead and what the CRM answered, for a month. Without a foreign key, since a row is written for each lead of each
-- batch; each is found by its record, and the oldest by their time.

CREATE TABLE deliver.attempt (
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  destination_id         uuid NOT NULL,
  at                     timestamptz NOT NULL DEFAULT now(),
  item_id                uuid NOT NULL,         -- whose lead was sent
  status                 text NOT NULL CHECK (status IN ('created', 'updated', 'unchanged', 'rejected', 'deferred', 'unknown')),
  crm_id                 text,
  code                   text,
  field                  text,
  message                text,
  fields                 jsonb,                 -- what was sent, and what the record held of it before
  PRIMARY KEY (external_id, destination_id, at)
);
CREATE INDEX attempt_by_time ON deliver.attempt USING brin (at) WITH (autosummarize = on);
