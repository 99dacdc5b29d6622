-- Which of several a record was given in turn, by the field of its CRM, and how many were given of each list.

CREATE TABLE deliver.rotation (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  field                  text NOT NULL,
  members                text[] NOT NULL,       -- the list, in its order
  taken                  bigint NOT NULL,
  PRIMARY KEY (destination_id, field, members)
);

CREATE TABLE deliver.turn (
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  external_id            text NOT NULL,         -- company:CIN, director:DIN, gst:GSTIN
  field                  text NOT NULL,
  value                  text NOT NULL,
  PRIMARY KEY (destination_id, external_id, field)
);
