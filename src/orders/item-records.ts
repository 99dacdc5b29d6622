/**
 * SQL that looks up an `item` (type, identifier) in its register: whether it exists, and whether it is struck off,
 * cancelled, deactivated or disqualified.
 */
import { inactiveStatuses } from '../../config/inactive-statuses.ts'
import { literal, sql } from '../db/sql.ts'

const oneOf = (words: readonly string[]) => words.map(literal).join(', ')

export const itemRecords = {
  /** Joins each register once for all items, by its primary key. */
  registers: sql`LEFT JOIN registry.company ON item.type = 'company' AND company.cin = item.identifier
    LEFT JOIN registry.director ON item.type = 'director' AND director.din = item.identifier
    LEFT JOIN registry.gst_taxpayer ON item.type = 'gst' AND gst_taxpayer.gstin = item.identifier`,
  known: sql`CASE item.type
    WHEN 'company' THEN company.cin IS NOT NULL
    WHEN 'director' THEN director.din IS NOT NULL AND NOT access.suppressed('din', director.din)
    WHEN 'gst' THEN gst_taxpayer.gstin IS NOT NULL
  END`,
  inactive: sql`(CASE item.type
    WHEN 'company' THEN company.status IN (${oneOf(inactiveStatuses.company)})
    WHEN 'director' THEN director.status IN (${oneOf(inactiveStatuses.director)}) OR director.disqualified = 'Yes'
    WHEN 'gst' THEN gst_taxpayer.status IN (${oneOf(inactiveStatuses.gst)})
  END) IS TRUE`,
}
