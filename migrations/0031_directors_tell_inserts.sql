-- Directors tell of the insert by which a first load entered them: see 0028.

-- The change_id of that insert and the number of its record in the file; null once the history has its row.
ALTER TABLE registry.director
  ADD COLUMN insert_change_id bigint,
  ADD COLUMN insert_record_no integer;

CREATE TRIGGER insert_written_before_update BEFORE UPDATE ON registry.director FOR EACH ROW
  WHEN (OLD.insert_change_id IS NOT NULL AND NEW.last_run_id <> OLD.last_run_id) EXECUTE FUNCTION ingest.write_insert('director', 'din');
CREATE TRIGGER insert_written_before_delete BEFORE DELETE ON registry.director FOR EACH ROW
  WHEN (OLD.insert_change_id IS NOT NULL) EXECUTE FUNCTION ingest.write_insert('director', 'din');
