/** Whether a record is struck off, cancelled, deactivated or disqualified, as the statements of orders and quotes ask it. */
import { inactiveStatuses } from '../../config/inactive-statuses.ts'
import { literal, sql } from '../db/sql.ts'

const oneOf = (words: readonly string[]) => words.map(literal).join(', ')

/** Of an item and the row of each register under its identifier: is it there, and inactive? */
export const inactiveText = sql`(CASE item.type
    WHEN 'company' THEN company.status IN (${oneOf(inactiveStatuses.company)})
    WHEN 'director' THEN director.status IN (${oneOf(inactiveStatuses.director)}) OR director.disqualified = 'Yes'
    WHEN 'gst' THEN gst_taxpayer.status IN (${oneOf(inactiveStatuses.gst)})
  END) IS TRUE`
