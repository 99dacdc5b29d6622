/**
 * Where the next page of a result begins, as opaque text: the last identifier seen and the page's number, bound to the
 * query that it continues. A cursor contains no secret and grants nothing.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../errors.ts'

/** The limit of page numbers: each further page would read and discard all rows before it. */
export const offsetRowsMax = 10_000

export const beyondPages = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    `page × limit may reach ${offsetRowsMax}; to read on, send the next cursor of a page as cursor.`,
  )

const Cursor = z.object({
  q: z.string(),
  after: z.string().min(1).max(64),
  page: z.int().min(2),
  /** The Indian day that the query's `this month` and `last 7 days` are relative to. */
  day: z.iso.date().optional(),
})

/** A page number is meaningless with another page size. */
const fingerprint = (set: string, limit: number): string =>
  createHash('sha256').update(`${limit} ${set}`).digest('base64url').slice(0, 16)

/** `set` identifies the paginated result, for example the type and the canonical query. */
export function writeCursor(set: string, limit: number, after: string, page: number, day?: string): string {
  return Buffer.from(JSON.stringify({ q: fingerprint(set, limit), after, page, day })).toString('base64url')
}

/** The day of the page that it continues, so that a result stays the same past midnight. */
export const dayOfCursor = (cursor: string): string | undefined => parsed(cursor).data?.day

/** @throws AppError BAD_REQUEST for a cursor that was not issued for this query. */
export function readCursor(
  set: string,
  limit: number,
  cursor: string,
): { readonly after: string; readonly page: number } {
  const { data } = parsed(cursor)
  if (data === undefined || data.after.includes('\0')) {
    throw new AppError('BAD_REQUEST', 'cursor is not one that this API issued; send next_cursor as it came.')
  }
  if (data.q !== fingerprint(set, limit)) {
    throw new AppError(
      'BAD_REQUEST',
      'cursor belongs to another query, limit or entitlement; send it with the query and the limit that returned it.',
    )
  }
  return data
}

const parsed = (cursor: string) => Cursor.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
