-- When a schedule was last run out of turn: its last run is that one or its newest slot, whichever is later.

ALTER TABLE runtime.schedule ADD COLUMN ran_at timestamptz;
-- migrations/functions makes it anew, with the column.
DROP FUNCTION IF EXISTS runtime.tell_schedules();
