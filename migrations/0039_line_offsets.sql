-- The line of a record is its number plus the offset of the last entry at or before it. A file whose records are one line
-- each has one entry; each record of several lines, and each line that is no record, adds one.
CREATE TABLE ingest.line_offset (
  run_id                 bigint NOT NULL REFERENCES ingest.run ON DELETE CASCADE,
  record_no              bigint NOT NULL,
  line_offset            bigint NOT NULL,
  PRIMARY KEY (run_id, record_no)
);
