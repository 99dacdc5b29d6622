-- Codes and places that registers refer to, with the bookkeeping columns of a register.

CREATE SCHEMA reference;

-- One publication holds the codes of goods (HSN) and of services (SAC); no code is both, services begin with 99.
-- Readers use the two parts, ingest the whole.
CREATE TABLE reference.tariff (
  kind                   text NOT NULL,
  code                   text NOT NULL,
  description            text NOT NULL,
  chapter                smallint CHECK (chapter IS NOT NULL OR kind = 'sac'),
  section                text,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date,
  fingerprint            bigint,                -- of the row that it was last written from
  PRIMARY KEY (code, kind)
) PARTITION BY LIST (kind);
CREATE TABLE reference.hsn PARTITION OF reference.tariff (kind DEFAULT 'hsn') FOR VALUES IN ('hsn');
CREATE TABLE reference.sac PARTITION OF reference.tariff (kind DEFAULT 'sac') FOR VALUES IN ('sac');

CREATE TABLE reference.nic (
  id                     text PRIMARY KEY,      -- vintage:code
  vintage                smallint NOT NULL CHECK (vintage IN (2004, 2008)),
  code                   text NOT NULL,         -- digits with leading zeros; 2 to 5 of them
  level                  text NOT NULL,         -- division, group, class, sub-class
  section                text,
  division               smallint,
  description            text NOT NULL,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date,
  fingerprint            bigint                 -- of the row that it was last written from
);

CREATE TABLE reference.pincode (
  id                     text PRIMARY KEY,      -- pincode|district|state: a PIN may lie in several
  pincode                text NOT NULL,
  district               text NOT NULL,
  state                  text,
  offices                integer NOT NULL,      -- the row with most offices decides
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date,
  fingerprint            bigint                 -- of the row that it was last written from
);
CREATE INDEX pincode_by_pin ON reference.pincode (pincode, offices DESC);
