/**
 * A paginated list, newest first, grows at its start while a user pages through it: the last rows of a page would be
 * the first of the next one, too. Bound to the newest row of the first page, the list stays stable.
 */
import { sql } from './sql.ts'

/**
 * @param column when a row was created.
 * @param place the bound parameter, such as `$3`: a time as responses show it, in milliseconds; null lists everything.
 */
export const madeUntil = (column: string, place: `$${number}`): string =>
  sql`(${place}::timestamptz IS NULL OR date_trunc('milliseconds', ${column}) <= ${place})`
