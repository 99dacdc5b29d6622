-- Conditions that are to be told now, and are told with this: that hold for long enough, at first and again after the hours that
-- they name, one notification per cause and hour. The condition of a first notification is told whatever came of the one before.
UPDATE runtime.condition SET told_at = now(), times_told = times_told + 1
WHERE resolved_at IS NULL AND since + make_interval(secs => for_seconds) <= now()
  AND (told_at IS NULL OR told_at <= now() - interval '1 hour')
  AND (times_told = 0 OR since + again_after_hours[times_told] * interval '1 hour' <= now())
RETURNING cause, type, severity, summary, remedy, since
