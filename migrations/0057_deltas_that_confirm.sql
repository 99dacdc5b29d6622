-- What a delta found as the register had it: the newest day on which an open record was seen so, where neither its own day nor
-- its partition's tells as much. An older file then leaves it as it is.
CREATE TABLE ingest.confirmation (
  entity                 text NOT NULL,
  identifier             text NOT NULL,
  run_id                 bigint NOT NULL,
  as_of                  date NOT NULL,
  PRIMARY KEY (entity, identifier)
);
