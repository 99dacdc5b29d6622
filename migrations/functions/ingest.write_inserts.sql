-- Writes into the history what records tell of their inserts themselves, all of it, as before a way back to a release that knows no such
-- record. While no import runs, as the owner of the registers. @returns how many inserts there were.
CREATE OR REPLACE FUNCTION ingest.write_inserts() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  register record;
  inserts bigint := 0;
  rows bigint;
BEGIN
  FOR register IN
    SELECT * FROM (VALUES ('registry.company', 'company', 'cin'), ('registry.gst_taxpayer', 'gst', 'gstin'),
      ('registry.director', 'director', 'din'), ('registry.directorship', 'directorship', 'id'),
      ('registry.contact', 'contact', 'id')) AS of(name, entity, key)
  LOOP
    EXECUTE format(
      'INSERT INTO ingest.change (change_id, entity, identifier, run_id, kind, as_of, changed_at, record_no) OVERRIDING SYSTEM VALUE
       SELECT t.insert_change_id, %L, t.%I, t.first_run_id, ''insert'', t.as_of, run.inserted_at, t.insert_record_no
       FROM %s t JOIN ingest.run ON run.run_id = t.first_run_id WHERE t.insert_change_id IS NOT NULL ORDER BY 1',
      register.entity, register.key, register.name);
    GET DIAGNOSTICS rows = ROW_COUNT;
    inserts := inserts + rows;
    EXECUTE format('UPDATE %s SET insert_change_id = NULL, insert_record_no = NULL WHERE insert_change_id IS NOT NULL', register.name);
  END LOOP;
  RETURN inserts;
END $$;
