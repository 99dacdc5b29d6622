-- Takes rows that are not in the chain yet into it, in the order of their ids, and returns how many. One at a time, by a
-- lock that no writer of the audit log needs: rows are written without waiting for each other.
--
-- Invariant: seq has no gap, and each seal holds the hash of the one before. Rows of a long transaction may come after rows
-- with higher ids; unless `thorough`, only the last 10,000 ids are looked through, so that the step stays short.
CREATE OR REPLACE FUNCTION access.seal_audit(rows_max integer, thorough boolean) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head record;
  low bigint := 0;
  entry access.audit;
  sealed bigint := 0;
  next_hash bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('access.audit_seal', 0));
  SELECT seq, hash INTO head FROM (
    (SELECT seq, hash FROM access.audit_seal ORDER BY seq DESC LIMIT 1)
    UNION ALL (SELECT seq, hash FROM access.audit_checkpoint ORDER BY seq DESC LIMIT 1)
    UNION ALL SELECT 0, sha256(convert_to('panji audit', 'UTF8'))
  ) heads ORDER BY seq DESC LIMIT 1;
  IF NOT thorough THEN
    SELECT coalesce(max(audit_id), 0) - 10000 INTO low FROM access.audit_seal;
  END IF;
  FOR entry IN
    SELECT a.* FROM access.audit a
    WHERE a.audit_id > low AND NOT EXISTS (SELECT FROM access.audit_seal s WHERE s.audit_id = a.audit_id)
    ORDER BY a.audit_id LIMIT rows_max
  LOOP
    next_hash := sha256(head.hash || access.audit_digest(entry));
    sealed := sealed + 1;
    INSERT INTO access.audit_seal (seq, audit_id, previous, hash)
    VALUES (head.seq + 1, entry.audit_id, head.hash, next_hash);
    head.seq := head.seq + 1;
    head.hash := next_hash;
  END LOOP;
  RETURN sealed;
END $$;
