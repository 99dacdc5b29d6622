/** The number of a company's current directors, from the register of directorships. */
import { sql } from '../../db/sql.ts'

export const boardField = {
  register: 'company' as const,
  name: 'boardSize',
  aliases: [],
  kind: 'integer' as const,
  column: sql`(SELECT count(DISTINCT seat.din) FROM registry.directorship AS seat
    WHERE seat.cin = r.cin AND seat.ceased_on IS NULL AND seat.closed_on IS NULL)`,
  description: 'Directors or designated partners in office',
  values: [],
  example: 'boardSize >= 3',
  fold: 'lower' as const,
  isBeside: true as const,
  // One index lookup in the directorships per record.
  cost: 100,
}
