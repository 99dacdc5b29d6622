/**
 * A list that is read by page, the newest first, grows in front of the page that somebody is reading: its last rows would be the first
 * of the next page, too. Bound to the newest row of the first page, it stays as it was.
 */
import { sql } from './sql.ts'

/**
 * @param column when a row was made. @param place the bound parameter, such as `$3`: an instant as answers tell it, in milliseconds; null
 * where everything is listed.
 */
export const madeUntil = (column: string, place: `$${number}`): string =>
  sql`(${place}::timestamptz IS NULL OR date_trunc('milliseconds', ${column}) <= ${place})`
