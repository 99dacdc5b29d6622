-- Trigger of the registers whose records tell of their insert themselves, with the entity and the key of the register: whoever changes such
-- a record or takes it out, and why, leaves that insert in the history first, under the number and the moment that it always had.
CREATE OR REPLACE FUNCTION ingest.write_insert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  key text;
BEGIN
  -- Any key could be read by its name out of the record as JSON, which costs as much again as all the rest.
  CASE TG_ARGV[1]
    WHEN 'cin' THEN key := OLD.cin;
    WHEN 'gstin' THEN key := OLD.gstin;
    WHEN 'din' THEN key := OLD.din;
    WHEN 'id' THEN key := OLD.id;
  END CASE;
  INSERT INTO ingest.change (change_id, entity, identifier, run_id, kind, as_of, changed_at, record_no)
  OVERRIDING SYSTEM VALUE
  VALUES (OLD.insert_change_id, TG_ARGV[0], key, OLD.first_run_id, 'insert', OLD.as_of,
          (SELECT run.inserted_at FROM ingest.run WHERE run.run_id = OLD.first_run_id), OLD.insert_record_no);
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  NEW.insert_change_id := NULL;
  NEW.insert_record_no := NULL;
  RETURN NEW;
END $$;
