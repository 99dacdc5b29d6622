-- Erases what imports after the run `since` left of people on the suppression list: their addresses and numbers in contacts, in
-- companies and in the history of both, the contacts and the history of a director who objected, and rejected lines that name one
-- of them. By the list's own entries alone, whatever the caller asks; twice is once. @returns how many rows there were.
CREATE OR REPLACE FUNCTION registry.erase_objected(since bigint) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed bigint := 0;
  rows bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM access.suppression) THEN RETURN 0; END IF;

  DELETE FROM registry.contact WHERE last_run_id > since AND entity = 'director' AND access.on_list('din', identifier);
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;
  -- A row that is written anew from the same file must find a difference, or what was erased by mistake never came back. An undo
  -- that was in progress during an earlier erasure gives a record back values that are erased, with the run that they came from.
  UPDATE registry.contact AS c SET
    emails = kept.emails, mobiles = kept.mobiles, landlines = kept.landlines, fingerprint = NULL,
    email = CASE WHEN NOT access.on_list('email', c.email) THEN c.email END,
    mobile = CASE WHEN NOT access.on_list('mobile', c.mobile) THEN c.mobile END,
    phone = CASE WHEN NOT access.on_list('mobile', c.phone) AND kept.landlines IS NOT DISTINCT FROM c.landlines THEN c.phone END
  FROM (
    SELECT id, (SELECT array_agg(v) FROM unnest(emails) v WHERE NOT access.on_list('email', v)) AS emails,
           (SELECT array_agg(v) FROM unnest(mobiles) v WHERE NOT access.on_list('mobile', v)) AS mobiles,
           (SELECT array_agg(v) FROM unnest(landlines) v WHERE NOT access.on_list('mobile', v)) AS landlines
    FROM registry.contact WHERE last_run_id > since OR id IN (
      SELECT h.identifier FROM ingest.change h JOIN ingest.run r USING (run_id)
      WHERE h.entity = 'contact' AND h.run_id > since AND r.undo IS NOT NULL)
  ) AS kept
  WHERE kept.id = c.id AND (
    kept.emails IS DISTINCT FROM c.emails OR kept.mobiles IS DISTINCT FROM c.mobiles OR kept.landlines IS DISTINCT FROM c.landlines
    OR access.on_list('email', c.email) OR access.on_list('mobile', c.mobile) OR access.on_list('mobile', c.phone));
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;

  UPDATE registry.company AS c SET
    emails = kept.emails, fingerprint = NULL, email = CASE WHEN NOT access.on_list('email', c.email) THEN c.email END
  FROM (
    SELECT cin, (SELECT array_agg(v) FROM unnest(emails) v WHERE NOT access.on_list('email', v)) AS emails
    FROM registry.company WHERE (email IS NOT NULL OR emails IS NOT NULL) AND (last_run_id > since OR cin IN (
      SELECT h.identifier FROM ingest.change h JOIN ingest.run r USING (run_id)
      WHERE h.entity = 'company' AND h.run_id > since AND r.undo IS NOT NULL))
  ) AS kept
  WHERE kept.cin = c.cin AND (kept.emails IS DISTINCT FROM c.emails OR access.on_list('email', c.email));
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;

  DELETE FROM ingest.change h WHERE h.run_id > since AND CASE h.entity
    WHEN 'director' THEN access.on_list('din', h.identifier)
    WHEN 'directorship' THEN access.on_list('din', split_part(h.identifier, '|', 2))
    WHEN 'contact' THEN h.identifier LIKE 'director:%' AND access.on_list('din', substr(h.identifier, 10))
    ELSE false END;
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;
  DELETE FROM ingest.confirmation WHERE run_id > since AND entity = 'contact' AND identifier LIKE 'director:%'
    AND access.on_list('din', substr(identifier, 10));
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;
  -- An insert that a record tells of itself is history as well.
  UPDATE registry.director SET insert_change_id = NULL, insert_record_no = NULL
  WHERE insert_change_id IS NOT NULL AND first_run_id > since AND access.on_list('din', din);
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;
  UPDATE registry.directorship SET insert_change_id = NULL, insert_record_no = NULL
  WHERE insert_change_id IS NOT NULL AND first_run_id > since AND access.on_list('din', din);
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;
  UPDATE ingest.change h SET before = kept.before, after = kept.after
  FROM (
    SELECT change_id, access.without_listed(before) AS before, access.without_listed(after) AS after
    FROM ingest.change WHERE run_id > since AND entity IN ('contact', 'company') AND (before IS NOT NULL OR after IS NOT NULL)
  ) AS kept
  WHERE kept.change_id = h.change_id AND (kept.before IS DISTINCT FROM h.before OR kept.after IS DISTINCT FROM h.after);
  GET DIAGNOSTICS rows = ROW_COUNT;
  changed := changed + rows;

  UPDATE ingest.reject r SET raw = '', message = 'erased: somebody whom the line names objected'
  WHERE r.run_id > since AND EXISTS (
    SELECT FROM (
      SELECT 'email' AS kind, regexp_matches(r.raw, '[^[:space:],;|"''<>()]+@[^[:space:],;|"''<>()]+', 'g') AS found
      UNION ALL SELECT 'mobile', regexp_matches(r.raw, '\+?[0-9][0-9 ()-]{8,18}[0-9]', 'g')
      UNION ALL SELECT 'din', regexp_matches(r.raw, '\m[0-9]{8}\M', 'g')
      UNION ALL SELECT 'pan', regexp_matches(upper(r.raw), '[A-Z]{3}P[A-Z][0-9]{4}[A-Z]', 'g')
    ) AS told
    WHERE access.on_list(told.kind, told.found[1]));
  GET DIAGNOSTICS rows = ROW_COUNT;
  RETURN changed + rows;
END $$;
