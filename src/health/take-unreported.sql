-- Takes the conditions that are due for a notification and marks them as reported: those that have held for long
-- enough, at first and again after their repeat interval, one notification per cause and hour. The condition of a first
-- notification is reported whatever happened to the previous one.
UPDATE runtime.condition SET told_at = now(), times_told = times_told + 1
WHERE resolved_at IS NULL AND since + make_interval(secs => for_seconds) <= now()
  AND (told_at IS NULL OR told_at <= now() - interval '1 hour')
  AND (times_told = 0 OR since + again_after_hours[times_told] * interval '1 hour' <= now())
RETURNING cause, type, severity, summary, remedy, since
