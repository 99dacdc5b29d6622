-- The one way by which rows leave the audit log: the oldest, up to a day that lies a year back at least. A checkpoint keeps where
-- the chain goes on, and a row of the audit log tells of it. It runs with the rights of the owner, since nobody else may delete.
CREATE OR REPLACE FUNCTION access.prune_audit(before timestamptz) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last_seq bigint;
  last_hash bytea;
  last_at timestamptz;
  pruned bigint;
BEGIN
  IF before > now() - interval '365 days' THEN
    RAISE EXCEPTION 'the audit log is kept for a year at least' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('access.audit_seal', 0));
  SELECT s.seq - 1 INTO last_seq FROM access.audit_seal s JOIN access.audit a USING (audit_id)
  WHERE a.at >= before ORDER BY s.seq LIMIT 1;
  IF NOT FOUND THEN SELECT max(seq) INTO last_seq FROM access.audit_seal; END IF;
  SELECT hash INTO last_hash FROM access.audit_seal WHERE seq = last_seq;
  IF NOT FOUND THEN RETURN 0; END IF;

  PERFORM set_config('panji.prune_audit', 'on', true);
  SELECT max(a.at) INTO last_at FROM access.audit_seal s JOIN access.audit a USING (audit_id) WHERE s.seq <= last_seq;
  DELETE FROM access.audit a USING access.audit_seal s WHERE s.audit_id = a.audit_id AND s.seq <= last_seq;
  DELETE FROM access.audit_seal WHERE seq <= last_seq;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  PERFORM set_config('panji.prune_audit', 'off', true);
  INSERT INTO access.audit_checkpoint (seq, hash, rows, through)
  VALUES (last_seq, last_hash, pruned, coalesce(last_at, before));
  INSERT INTO access.audit (actor, action, subject, detail)
  VALUES ('system', 'prune audit', 'seal ' || last_seq,
          jsonb_build_object('rows', pruned, 'seq', last_seq, 'hash', encode(last_hash, 'hex')));
  RETURN pruned;
END $$;
