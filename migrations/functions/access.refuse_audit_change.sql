-- The audit log is only ever added to. access.prune_audit alone deletes, what has had its time: it says so for its transaction.
CREATE OR REPLACE FUNCTION access.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('panji.prune_audit', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'rows of the audit log are never updated or deleted' USING ERRCODE = 'restrict_violation';
END $$;
