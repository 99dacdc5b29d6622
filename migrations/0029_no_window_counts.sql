-- The counts per grant, state and day were written by every merge and every grant, and read by nothing. What is asked of
-- them is counted from the registers when it is asked: see src/registry/feed/read-summary.ts.
DROP TABLE feed.window_count;
DROP TABLE ingest.touched_day;
