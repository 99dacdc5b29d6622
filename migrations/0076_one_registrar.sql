-- A registrar of companies is one part of the register, whatever letters its name came in: those of older files were kept apart.
-- No count is kept by registrar, so that the counts are left alone.
ALTER TABLE registry.company DISABLE TRIGGER count_updated;
UPDATE registry.company SET roc_code = 'ROC ' || initcap(substr(roc_code, 5))
WHERE roc_code LIKE 'ROC %' AND roc_code = upper(roc_code);
ALTER TABLE registry.company ENABLE TRIGGER count_updated;

-- Of two notes of one registrar the later day stands.
WITH spelled AS (
  DELETE FROM ingest.scope WHERE source = 'mca-companies' AND scope LIKE 'ROC %' AND scope = upper(scope)
  RETURNING source, 'ROC ' || initcap(substr(scope, 5)) AS scope, as_of, run_id
)
INSERT INTO ingest.scope AS s (source, scope, as_of, run_id) SELECT source, scope, as_of, run_id FROM spelled
ON CONFLICT (source, scope) DO UPDATE SET as_of = excluded.as_of, run_id = excluded.run_id WHERE s.as_of < excluded.as_of;
