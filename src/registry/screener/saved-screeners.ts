/** Saved screeners of one account. Another account's screener is reported as not found. */

import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdQuotaAccount } from '../../limits/quota-account.ts'
import { requireRoom } from '../../limits/stored-quota.ts'
import { registerState } from '../paging/total-cache.ts'
import type { ScreenerType } from './fields.ts'
import { readQuery } from './read.ts'
import { refuseUnheldWords } from './word-pieces.ts'

export interface SavedScreener {
  readonly id: string
  readonly name: string
  readonly type: ScreenerType
  readonly query: string
  readonly description: string | null
  readonly created_at: Date
}

export interface ScreenerDraft {
  readonly name: string
  readonly type: ScreenerType
  readonly query: string
  readonly description: string | null
}

const columns = 'screener_id AS id, name, type, query, description, created_at'

/** Newest first. */
export function listScreeners(db: Queryable, accountId: string): Promise<SavedScreener[]> {
  return db.query<SavedScreener>(
    sql`SELECT ${columns} FROM access.screener WHERE account_id = $1 ORDER BY created_at DESC, screener_id`,
    [accountId],
  )
}

/** @throws AppError NOT_FOUND, also for an invalid id. */
export async function readScreener(db: Queryable, accountId: string, id: string): Promise<SavedScreener> {
  const rows = isUuid(id)
    ? await db.query<SavedScreener>(
        sql`SELECT ${columns} FROM access.screener WHERE account_id = $1 AND screener_id = $2`,
        [accountId, id],
      )
    : []
  return owned(rows)
}

/** @throws AppError QUERY_SYNTAX: only valid screeners are saved. NOT_FOUND for an erased account, QUOTA_EXCEEDED. */
export async function createScreener(tx: Tx, accountId: string, draft: ScreenerDraft): Promise<SavedScreener> {
  await refuseMistakes(tx, draft)
  const account = await holdQuotaAccount(tx, accountId)
  await requireRoom(tx, account, 'savedScreeners', 1)
  await requireRoom(tx, account, 'savedScreenerBytes', bytesOf(draft))
  const [created] = await tx.query<SavedScreener>(
    sql`INSERT INTO access.screener (account_id, name, type, query, description) VALUES ($1, $2, $3, $4, $5)
     RETURNING ${columns}`,
    [accountId, draft.name, draft.type, draft.query, draft.description],
  )
  if (!created) throw new Error('the insert of a screener returned no row')
  return created
}

/** Omitted members keep their value; the query is checked again for the resulting type. */
export async function updateScreener(
  tx: Tx,
  accountId: string,
  id: string,
  change: Partial<ScreenerDraft>,
): Promise<SavedScreener> {
  const account = await holdQuotaAccount(tx, accountId)
  const before = await readScreener(tx, accountId, id)
  const draft = { ...before, ...change }
  await refuseMistakes(tx, draft)
  const growth = bytesOf(draft) - bytesOf(before)
  if (growth > 0) await requireRoom(tx, account, 'savedScreenerBytes', growth)
  // The owner is part of the condition, too: the row may have been deleted since it was read.
  return owned(
    await tx.query<SavedScreener>(
      sql`UPDATE access.screener SET name = $3, type = $4, query = $5, description = $6
       WHERE account_id = $1 AND screener_id = $2 RETURNING ${columns}`,
      [accountId, id, draft.name, draft.type, draft.query, draft.description],
    ),
  )
}

const bytesOf = ({ name, query, description }: ScreenerDraft): number =>
  Buffer.byteLength(name) + Buffer.byteLength(query) + Buffer.byteLength(description ?? '')

export async function deleteScreener(db: Queryable, accountId: string, id: string): Promise<void> {
  const { id: known } = await readScreener(db, accountId, id)
  // A concurrent second delete finds nothing and succeeds: the screener is gone either way.
  await db.execute('DELETE FROM access.screener WHERE account_id = $1 AND screener_id = $2', [accountId, known])
}

/** @throws AppError QUERY_SYNTAX */
async function refuseMistakes(db: Queryable, { type, query }: Pick<ScreenerDraft, 'type' | 'query'>): Promise<void> {
  const { wordPieces } = readQuery(type, query)
  if (wordPieces.some(({ unknown }) => unknown.length > 0)) {
    await refuseUnheldWords(db, type, query, wordPieces, await registerState(db, type))
  }
}

function owned(rows: readonly SavedScreener[]): SavedScreener {
  const [row] = rows
  if (!row) throw new AppError('NOT_FOUND', 'There is no saved screener of this id.')
  return row
}
