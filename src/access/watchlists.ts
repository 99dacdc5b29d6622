/**
 * Watchlists of one account: named lists of companies, directors or GST registrations. Another account's list is not
 * found. An identifier is on a list once; adding it again changes nothing.
 */
import type { Queryable, Tx } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { readIdentifier } from '../domain/entity-identifier.ts'
import type { EntityType } from '../domain/identity.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'

export interface Watchlist {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly count: number
  readonly created_at: Date
}

export interface WatchedEntity {
  readonly identifier: string
  readonly name: string
}

export interface AddedEntity extends WatchedEntity {
  readonly added_at: Date
}

interface Page {
  readonly page: number
  readonly limit: number
}

/** Maximum per list; beyond it a saved screener is the better tool. */
export const watchedEntitiesMax = 10_000

const columns = `w.watchlist_id AS id, w.name, w.type, w.created_at,
  (SELECT count(*) FROM access.watchlist_entity e WHERE e.watchlist_id = w.watchlist_id) AS count`

/** @throws AppError NOT_FOUND for an erased account, QUOTA_EXCEEDED, UNPROCESSABLE for a malformed identifier. */
export async function createWatchlist(
  tx: Tx,
  accountId: string,
  draft: { readonly name: string; readonly type: EntityType; readonly entities: readonly WatchedEntity[] },
): Promise<Watchlist> {
  const entities = canonical(draft.type, draft.entities)
  const account = await holdQuotaAccount(tx, accountId)
  await requireRoom(tx, account, 'watchlists', 1)
  await requireRoom(tx, account, 'watchedEntities', entities.length)
  const [created] = await tx.query<{ id: string }>(
    'INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, $2, $3) RETURNING watchlist_id AS id',
    [accountId, draft.name, draft.type],
  )
  if (!created) throw new Error('the insert of a watchlist returned no row')
  await insertEntities(tx, created.id, entities)
  return readWatchlist(tx, accountId, created.id)
}

export const watchlistSorts = listSorts('created_at-', {
  by: { created_at: 'w.created_at', name: 'lower(w.name)', type: 'w.type' },
  tie: 'w.watchlist_id',
})
type Sort = SortOf<'created_at' | 'name' | 'type'>

/** Newest first unless `sort` says otherwise; `total` counts all pages. */
export async function listWatchlists(
  db: Queryable,
  accountId: string,
  { type, page, limit, sort }: Page & { readonly type?: EntityType | undefined; readonly sort?: Sort | undefined },
): Promise<{ data: Watchlist[]; total: number }> {
  const where = 'w.account_id = $1 AND ($2::text IS NULL OR w.type = $2)'
  const filter = [accountId, type ?? null]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM access.watchlist w WHERE ${where}`,
    filter,
  )
  const data = await db.query<Watchlist>(
    sql`SELECT ${columns} FROM access.watchlist w WHERE ${where}
     ORDER BY ${watchlistSorts.orderBy(sort)} LIMIT $3 OFFSET $4`,
    [...filter, limit, (page - 1) * limit],
  )
  return { data, total: counted?.total ?? 0 }
}

/** @throws AppError NOT_FOUND, also for a malformed ID. */
export async function readWatchlist(db: Queryable, accountId: string, id: string): Promise<Watchlist> {
  const [found] = isUuid(id)
    ? await db.query<Watchlist>(
        sql`SELECT ${columns} FROM access.watchlist w WHERE w.account_id = $1 AND w.watchlist_id = $2`,
        [accountId, id],
      )
    : []
  if (!found) throw new AppError('NOT_FOUND', 'There is no watchlist with this ID.')
  return found
}

export const watchedSorts = listSorts('added_at', {
  by: { added_at: 'added_at', name: 'lower(name)', identifier: 'identifier' },
  tie: 'identifier',
})

interface WatchedPage extends Page {
  readonly search?: string | undefined
  readonly sort?: SortOf<'added_at' | 'name' | 'identifier'> | undefined
}

/**
 * In the order of addition unless `sort` says otherwise; `total` counts the matches of all pages. The caller has
 * checked that the list belongs to the account.
 */
export async function listWatchedEntities(
  db: Queryable,
  { id }: Watchlist,
  { search, page, limit, sort }: WatchedPage,
): Promise<{ entities: AddedEntity[]; total: number }> {
  const where = 'watchlist_id = $1 AND ($2::text IS NULL OR name ILIKE $2 OR identifier ILIKE $2)'
  const text = search?.trim() ?? ''
  const filter = [id, text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM access.watchlist_entity WHERE ${where}`,
    filter,
  )
  const entities = await db.query<AddedEntity>(
    sql`SELECT identifier, name, added_at FROM access.watchlist_entity WHERE ${where}
     ORDER BY ${watchedSorts.orderBy(sort)} LIMIT $3 OFFSET $4`,
    [...filter, limit, (page - 1) * limit],
  )
  return { entities, total: counted?.total ?? 0 }
}

/** @throws AppError NOT_FOUND */
export async function renameWatchlist(tx: Tx, accountId: string, id: string, name: string): Promise<Watchlist> {
  await holdWatchlist(tx, accountId, id)
  await tx.execute('UPDATE access.watchlist SET name = $3 WHERE account_id = $1 AND watchlist_id = $2', [
    accountId,
    id,
    name,
  ])
  return readWatchlist(tx, accountId, id)
}

/**
 * @throws AppError NOT_FOUND, QUOTA_EXCEEDED, UNPROCESSABLE with the index of a malformed identifier or when the list
 * would be too long.
 */
export async function addEntities(
  tx: Tx,
  accountId: string,
  id: string,
  entities: readonly WatchedEntity[],
): Promise<{ watchlist: Watchlist; added: number }> {
  const account = await holdQuotaAccount(tx, accountId)
  const { type } = await holdWatchlist(tx, accountId, id)
  const added = await insertEntities(tx, id, canonical(type, entities))
  // After the insert, which knows how many of them are new; if refused, all of it is rolled back.
  await requireRoom(tx, account, 'watchedEntities', 0)
  const watchlist = await readWatchlist(tx, accountId, id)
  if (watchlist.count > watchedEntitiesMax) {
    throw new AppError('UNPROCESSABLE', `A watchlist holds at most ${watchedEntitiesMax} entities.`)
  }
  return { watchlist, added }
}

/** Identifiers that are not on the list are ignored: they are gone either way. @throws AppError as `addEntities`. */
export async function removeEntities(
  tx: Tx,
  accountId: string,
  id: string,
  identifiers: readonly string[],
): Promise<{ watchlist: Watchlist; removed: number }> {
  const { type } = await holdWatchlist(tx, accountId, id)
  const entities = canonical(
    type,
    identifiers.map((identifier) => ({ identifier, name: identifier })),
  )
  const removed = await tx.execute(
    'DELETE FROM access.watchlist_entity WHERE watchlist_id = $1 AND identifier = ANY($2)',
    [id, entities.map(({ identifier }) => identifier)],
  )
  return { watchlist: await readWatchlist(tx, accountId, id), removed }
}

/** @throws AppError NOT_FOUND, CONFLICT where a standing order would silently be left without a watchlist. */
export async function deleteWatchlist(tx: Tx, accountId: string, id: string): Promise<void> {
  await holdWatchlist(tx, accountId, id)
  const [follower] = await tx.query<{ name: string; id: string }>(
    `SELECT s.name, s.standing_order_id AS id FROM orders.standing_order s JOIN orders.standing_query q USING (standing_order_id, version)
     WHERE s.account_id = $1 AND q.watchlist_id = $2 AND s.state <> 'ended' ORDER BY s.created_at LIMIT 1`,
    [accountId, id],
  )
  if (follower) {
    throw new AppError(
      'CONFLICT',
      `The standing order ${follower.name} follows this watchlist. End it first, or give it another one.`,
      {
        extra: { standing_order_id: follower.id },
      },
    )
  }
  await tx.execute('DELETE FROM access.watchlist WHERE account_id = $1 AND watchlist_id = $2', [accountId, id])
}

/** Locks the list's row, so that concurrent changes are serialised and the limit holds. */
async function holdWatchlist(tx: Tx, accountId: string, id: string): Promise<Watchlist> {
  const found = await readWatchlist(tx, accountId, id)
  const held = await tx.query('SELECT FROM access.watchlist WHERE watchlist_id = $1 FOR UPDATE', [id])
  // Deleted between the two statements.
  if (held.length === 0) throw new AppError('NOT_FOUND', 'There is no watchlist with this ID.')
  return found
}

async function insertEntities(tx: Tx, id: string, entities: readonly WatchedEntity[]): Promise<number> {
  // Invariant: one row per identifier; the first addition keeps its name and position.
  return tx.execute(
    `INSERT INTO access.watchlist_entity (watchlist_id, identifier, name)
     SELECT $1, identifier, name FROM unnest($2::text[], $3::text[]) AS given (identifier, name)
     ON CONFLICT (watchlist_id, identifier) DO NOTHING`,
    [id, entities.map(({ identifier }) => identifier), entities.map(({ name }) => name)],
  )
}

/**
 * Canonical identifiers, each once. @throws AppError UNPROCESSABLE naming the first malformed one, with all indexes.
 */
function canonical(type: EntityType, entities: readonly WatchedEntity[]): WatchedEntity[] {
  const faults: { index: number; message: string }[] = []
  const first = new Map<string, WatchedEntity>()
  for (const [index, { identifier: text, name }] of entities.entries()) {
    const reading = readIdentifier(type, text)
    if (!reading.ok) faults.push({ index, message: reading.message })
    else if (!first.has(reading.identifier)) first.set(reading.identifier, { identifier: reading.identifier, name })
  }
  const [fault] = faults
  if (!fault) return [...first.values()]
  throw new AppError('UNPROCESSABLE', `entities[${fault.index}].identifier ${fault.message}.`, {
    extra: { index: fault.index, indexes: faults.map(({ index }) => index) },
  })
}
