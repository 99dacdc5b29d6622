-- The one way by which a change leaves the history: of those before a day the newest of each record stays. It runs with
-- the rights of the owner, since nobody else may delete them; the day is the one that was written down as kept from.
CREATE OR REPLACE FUNCTION ingest.prune_changes(kept_from date) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  deleted bigint;
  told_since bigint;
BEGIN
  IF kept_from > (SELECT retained_from FROM ingest.history_retention) THEN
    RAISE EXCEPTION 'history is kept from a day before %', kept_from USING ERRCODE = 'restrict_violation';
  END IF;
  DELETE FROM ingest.change h
  WHERE h.as_of < kept_from AND EXISTS (
    SELECT FROM ingest.change later
    WHERE later.entity = h.entity AND later.identifier = h.identifier AND later.change_id > h.change_id
      AND later.as_of < kept_from
      -- What was taken back tells nothing, so it does not stand in for what went before it.
      AND NOT EXISTS (SELECT FROM ingest.run r WHERE r.run_id = later.run_id
                      AND (r.undone_by IS NOT NULL OR r.undo IS NOT NULL)));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  -- The insert that a record tells of itself is its newest change, too: before it lies what was taken back.
  DELETE FROM ingest.change h USING (
    SELECT 'company' AS entity, cin AS identifier, insert_change_id, as_of FROM registry.company
    UNION ALL SELECT 'gst', gstin, insert_change_id, as_of FROM registry.gst_taxpayer
    UNION ALL SELECT 'director', din, insert_change_id, as_of FROM registry.director
    UNION ALL SELECT 'directorship', id, insert_change_id, as_of FROM registry.directorship
    UNION ALL SELECT 'contact', id, insert_change_id, as_of FROM registry.contact
  ) AS told
  WHERE told.entity = h.entity AND told.identifier = h.identifier AND told.insert_change_id > h.change_id
    AND told.as_of < kept_from AND h.as_of < kept_from;
  GET DIAGNOSTICS told_since = ROW_COUNT;
  RETURN deleted + told_since;
END $$;
