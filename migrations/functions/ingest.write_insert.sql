-- Trigger of the registers whose records tell of their insert themselves, with the entity and the key of the register: whoever changes such
-- a record or takes it out, and why, leaves that insert in the history first, under the number and the moment that it always had.
CREATE OR REPLACE FUNCTION ingest.write_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ingest.change (change_id, entity, identifier, run_id, kind, as_of, changed_at, record_no)
  OVERRIDING SYSTEM VALUE
  VALUES (OLD.insert_change_id, TG_ARGV[0], to_jsonb(OLD) ->> TG_ARGV[1], OLD.first_run_id, 'insert', OLD.as_of,
          (SELECT run.inserted_at FROM ingest.run WHERE run.run_id = OLD.first_run_id), OLD.insert_record_no);
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  NEW.insert_change_id := NULL;
  NEW.insert_record_no := NULL;
  RETURN NEW;
END $$;
