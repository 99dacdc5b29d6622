-- Up to when the slots of a schedule are settled, since it was resumed or set anew: they were not missed, and it did not run then.

ALTER TABLE runtime.schedule ADD COLUMN settled_at timestamptz;
-- migrations/functions makes it anew, with the column.
DROP FUNCTION IF EXISTS runtime.tell_schedules();
