-- A trail that can be shown: who did or read what, from where and why, chained so that no row can be changed, left out or
-- cut away without its being seen. Every new column is nullable or has a default: the release before goes on writing.
ALTER TABLE access.audit
  ADD COLUMN kind        text NOT NULL DEFAULT 'act' CHECK (kind IN ('act', 'reading', 'refusal')),
  ADD COLUMN account_id  uuid,                  -- whose doing, or on whom an operator acted; stays when the account is erased
  ADD COLUMN credential  text,                  -- id of the API key or operator, `environment`, or the user of the machine
  ADD COLUMN operation   text,                  -- operationId of the API, or `panji approve`
  ADD COLUMN address     text,
  ADD COLUMN reason      text,                  -- what for: order <id>, screener <id>
  ADD COLUMN data_class  text,                  -- of a reading: details, leads, ...
  ADD COLUMN identifiers text[],                -- records that were shown, each once
  ADD COLUMN records     integer;               -- how many were shown
CREATE INDEX audit_account ON access.audit (account_id, audit_id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_actor ON access.audit (actor, audit_id);
CREATE INDEX audit_subject ON access.audit (subject, audit_id);
CREATE INDEX audit_at ON access.audit (at);
CREATE INDEX audit_identifiers ON access.audit USING gin (identifiers) WHERE identifiers IS NOT NULL;

-- The chain: one row per row of the trail, added once by access.seal_audit, in the order of seq without a gap.
CREATE TABLE access.audit_seal (
  seq                    bigint PRIMARY KEY,
  audit_id               bigint NOT NULL UNIQUE,
  previous               bytea NOT NULL,        -- hash of the seal before
  hash                   bytea NOT NULL,        -- sha256 of previous and of the row
  sealed_at              timestamptz NOT NULL DEFAULT now()
);

-- Where the chain begins after rows have had their time: the last seal that went with them.
CREATE TABLE access.audit_checkpoint (
  seq                    bigint PRIMARY KEY,
  hash                   bytea NOT NULL,
  rows                   bigint NOT NULL,       -- that went
  through                timestamptz NOT NULL,  -- time of the newest of them
  pruned_at              timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION access.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of the trail are never updated or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
CREATE TRIGGER audit_checkpoint_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access.audit_checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION access.refuse_audit_change();
