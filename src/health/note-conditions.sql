-- Stores the conditions $1 that were found in instance $2 now: new ones are inserted, and those that no longer hold are
-- resolved, except those that only another instance can see. A cause that returns starts again; the time of its last
-- notification is kept, so that it is reported at most once an hour. @returns what was resolved and had been reported.
WITH found AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS f (cause text, type text, severity text, labels jsonb, summary text, remedy text,
    "forSeconds" integer, "againAfterHours" double precision[])
), noted AS (
  INSERT INTO runtime.condition AS c (cause, type, severity, labels, summary, remedy, for_seconds, again_after_hours)
  SELECT cause, type, severity, labels, summary, remedy, "forSeconds", "againAfterHours" FROM found
  ON CONFLICT (cause) DO UPDATE SET summary = EXCLUDED.summary, remedy = EXCLUDED.remedy, severity = EXCLUDED.severity,
    for_seconds = EXCLUDED.for_seconds, again_after_hours = EXCLUDED.again_after_hours, resolved_at = NULL,
    since = CASE WHEN c.resolved_at IS NULL THEN c.since ELSE now() END,
    times_told = CASE WHEN c.resolved_at IS NULL THEN c.times_told ELSE 0 END
), resolved AS (
  UPDATE runtime.condition c SET resolved_at = now()
  WHERE resolved_at IS NULL AND NOT EXISTS (SELECT FROM found WHERE found.cause = c.cause)
    AND coalesce(labels ->> 'instance', $2) = $2
  RETURNING *
)
SELECT cause, type, severity, summary, remedy, since FROM resolved WHERE times_told > 0 ORDER BY since, cause
