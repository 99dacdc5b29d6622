/**
 * Position of the next page of the audit log as opaque text: the last row shown, and the sort order. It grants nothing.
 */
import { AppError } from '../errors.ts'
import type { AuditLogRow, AuditLogSort } from './read-audit-log.ts'

const shape = /^t1([-+])(\d{1,15})$/
const signOf = (sort: AuditLogSort): string => (sort === 'at' ? '+' : '-')

interface Paged {
  readonly limit: number
  readonly sort?: AuditLogSort | undefined
}

/** @returns null after the last page. */
export function nextCursor(rows: readonly AuditLogRow[], { limit, sort = 'at-' }: Paged): string | null {
  const last = rows.at(-1)
  if (rows.length < limit || !last) return null
  return Buffer.from(`t1${signOf(sort)}${last.auditId}`).toString('base64url')
}

/**
 * @returns ID of the last row shown. @throws AppError BAD_REQUEST for a cursor that no page of this sort order
 * returned.
 */
export function placeOf(cursor: string | undefined, sort: AuditLogSort = 'at-'): number | undefined {
  if (cursor === undefined) return undefined
  const match = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) throw new AppError('BAD_REQUEST', 'cursor is not one that this API issued; send next_cursor as it came.')
  if (match[1] === signOf(sort)) return Number(match[2])
  throw new AppError('BAD_REQUEST', 'cursor belongs to another sort order; send it with the sort that returned it.')
}
