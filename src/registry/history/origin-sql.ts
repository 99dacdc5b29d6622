/** SQL for the origin of a change `h` and its run `run`. */

/** First line of the record in the file. */
export const lineOf = `h.record_no + (SELECT l.line_offset FROM ingest.line_offset l
  WHERE l.run_id = h.run_id AND l.record_no <= h.record_no ORDER BY l.record_no DESC LIMIT 1)`

/** The last part of the path or address that the run was given; null for a run that undid others. */
export const fileOf = `CASE WHEN run.undo IS NULL THEN substring(run.input FROM '([^/]+?)(?:[?]…)?/*$') END`
