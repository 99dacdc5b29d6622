-- From which score on a destination takes a record that its customer had before for a new lead, and from which on a person is asked; and
-- for which leads a person said that none is taken.

ALTER TABLE deliver.destination
  ADD COLUMN adopt_from integer CONSTRAINT destination_adopt_from CHECK (adopt_from BETWEEN 1 AND 100),
  ADD COLUMN ask_from integer CONSTRAINT destination_ask_from CHECK (ask_from BETWEEN 1 AND 100);

CREATE TABLE deliver.unmatched (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  decided_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (destination_id, external_id)
);
CREATE INDEX adoption_external ON deliver.adoption (destination_id, external_id);
