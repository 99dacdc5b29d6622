-- Which record of its file a change came from: the first, the second, …; null for what no record says, such as a closure.
-- Where it stands in the file is told by ingest.line_offset.
ALTER TABLE ingest.change ADD COLUMN record_no bigint;
