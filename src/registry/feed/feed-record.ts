/**
 * The statement that reads the records of feed rows, newest first, with the columns that `config/fields` gives a feed.
 */

import { shownOn } from '../../../config/fields/shown.ts'
import { selected } from '../../db/shown-columns.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import { registerTables } from '../register-table.ts'

const template = sqlFile(import.meta.url, 'feed-record.sql')

/** Feeds return days as timestamps, as specified. */
const timestamp = (column: string): string => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS')`

/** Rows of the feed as `f`, their conditions, and how many of the newest to read. */
interface RecordsAsked {
  readonly rows: string
  readonly where?: string
  readonly limits?: string
}

/** @returns the statement for the records of rows that have an identifier and a registration day. */
export function feedRecords(dataset: EntityType): (asked: RecordsAsked) => string {
  const shown = shownOn(dataset, 'feed')
  const days = shown.flatMap(({ column, definition }) =>
    definition.kind === 'date' ? [[column, timestamp(`r.${column}`)]] : [],
  )
  const { table, key } = registerTables[dataset]
  const columns = selected('r', shown, Object.fromEntries(days))
  return ({ rows, where = '', limits = '' }) => fillSql(template, { columns, table, key, rows, where, limits })
}
