/**
 * The suppression list: objections are added by e-mail address, mobile number, DIN or PAN, and listed as entries that
 * identify no one. An addition applies to every statement that starts after the commit, in every process. Adding a
 * value twice creates one entry; the recall of what had reached a CRM is enqueued in the same transaction.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import type { Objection, SuppressionKind } from '../domain/objection.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { eraseProprietors } from '../suppression/erased-proprietors.ts'
import { holdSuppressions, withholdDirectors } from '../suppression/withheld-directors.ts'

export interface Suppression {
  readonly id: string
  readonly kind: SuppressionKind
  readonly reason: string | null
  readonly reference: string | null
  readonly created_by: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

export interface NewSuppressions {
  readonly objections: readonly Objection[]
  readonly reason?: string | undefined
  /** The operator's own reference: a ticket, a letter. */
  readonly reference?: string | undefined
  readonly actor: Actor
}

type Row = Omit<Suppression, 'created_at'> & { readonly createdAt: Date }

const columns = `suppression_id AS id, kind, reason, reference, created_by, created_at AS "createdAt"`
const shown = ({ createdAt, ...row }: Row): Suppression => ({ ...row, created_at: createdAt.toISOString() })

/**
 * @returns the entries in the order given, including existing ones. @throws AppError UNPROCESSABLE where nothing is
 * given, CONFLICT while there are entries whose key is lost.
 */
export async function addSuppressions(
  tx: Tx,
  queue: JobSender,
  { objections, reason, reference, actor }: NewSuppressions,
): Promise<{ readonly added: number; readonly entries: readonly Suppression[] }> {
  if (objections.length === 0)
    throw new AppError('UNPROCESSABLE', 'Give an e-mail address, a mobile number, a DIN or a PAN.')
  await holdSuppressions(tx)
  await refuseLostKey(tx)
  const kinds = objections.map(({ kind }) => kind)
  const values = objections.map(({ value }) => value)
  const [inserted] = await tx.query<{ rows: number }>(
    `WITH added AS (
       INSERT INTO access.suppression (kind, hash, key_id, reason, reference, created_by)
       SELECT DISTINCT ON (hash) kind, hash, access.suppression_key_id(), $3, $4, $5
       FROM unnest($1::text[], $2::text[]) AS given (kind, value), access.suppression_hash(kind, value) AS hash
       ON CONFLICT (hash) DO NOTHING RETURNING 1)
     SELECT count(*) AS rows FROM added`,
    [kinds, values, reason ?? null, reference ?? null, actor],
  )
  const rows = await tx.query<Row>(
    sql`SELECT ${columns} FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (asked, value, place)
     JOIN access.suppression ON hash = access.suppression_hash(asked, value) ORDER BY place`,
    [kinds, values],
  )
  if (kinds.includes('din')) {
    await withholdDirectors(
      tx,
      values.filter((_, index) => kinds[index] === 'din'),
    )
    await countDirectorsAgain(tx)
  }
  if (kinds.includes('pan')) {
    await eraseProprietors(
      tx,
      values.filter((_, index) => kinds[index] === 'pan'),
    )
  }
  const added = inserted?.rows ?? 0
  if (added > 0) {
    await queue.send(tx, queues.recallLeads, {})
    await audit(tx, {
      actor,
      action: 'add suppressions',
      subject: 'suppression list',
      detail: { added, ...perKind(rows) },
    })
  }
  return { added, entries: rows.map(shown) }
}

/** By value, by ID, or all whose key is lost. */
export type Removal =
  | { readonly objections: readonly Objection[] }
  | { readonly ids: readonly string[] }
  | { readonly lost: true }

/** What is removed is shown again from the next statement on; what a CRM was asked to erase stays erased. */
export async function removeSuppressions(
  tx: Tx,
  removal: Removal,
  actor: Actor,
): Promise<{ readonly removed: number }> {
  await holdSuppressions(tx)
  const rows = await tx.query<Row>(...deletion(removal))
  if (rows.some(({ kind }) => kind === 'din')) await countDirectorsAgain(tx)
  if (rows.length > 0) {
    const detail = { removed: rows.length, ...perKind(rows) }
    await audit(tx, { actor, action: 'remove suppressions', subject: 'suppression list', detail })
  }
  return { removed: rows.length }
}

function deletion(removal: Removal): [string, unknown[]] {
  const statement = (condition: string) => sql`DELETE FROM access.suppression WHERE ${condition} RETURNING ${columns}`
  if ('lost' in removal) return [statement('key_id <> access.suppression_key_id()'), []]
  if ('ids' in removal) return [statement('suppression_id = ANY($1::uuid[])'), [removal.ids.filter(isUuid)]]
  const { objections } = removal
  return [
    statement(`hash = ANY(ARRAY(SELECT access.suppression_hash(kind, value)
                                FROM unnest($1::text[], $2::text[]) AS given (kind, value)))`),
    [objections.map(({ kind }) => kind), objections.map(({ value }) => value)],
  ]
}

export const suppressionSorts = listSorts('created_at-', {
  by: { created_at: 'created_at', kind: 'kind', created_by: 'created_by' },
  tie: 'suppression_id',
})

interface Listed {
  readonly kind?: SuppressionKind | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'created_at' | 'kind' | 'created_by'> | undefined
}

/** Newest first unless `sort` says otherwise; `total` counts all pages. */
export async function listSuppressions(
  db: Queryable,
  { kind, page, limit, sort }: Listed,
): Promise<{ readonly data: Suppression[]; readonly total: number }> {
  const where = '($1::text IS NULL OR kind = $1)'
  const [count] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM access.suppression WHERE ${where}`,
    [kind ?? null],
  )
  const rows = await db.query<Row>(
    sql`SELECT ${columns} FROM access.suppression WHERE ${where}
     ORDER BY ${suppressionSorts.orderBy(sort)} LIMIT $2 OFFSET $3`,
    [kind ?? null, limit, (page - 1) * limit],
  )
  return { data: rows.map(shown), total: count?.total ?? 0 }
}

async function refuseLostKey(tx: Queryable): Promise<void> {
  const lost = await tx.query('SELECT FROM access.suppression WHERE key_id <> access.suppression_key_id() LIMIT 1')
  if (lost.length === 0) return
  throw new AppError(
    'CONFLICT',
    'The key of the suppression list was lost with the secret key, so all contacts are withheld. Remove the entries with ' +
      '`panji suppress remove --lost` and add the objections again.',
  )
}

/** Cached totals belong to one version of the register, so this creates another. */
async function countDirectorsAgain(tx: Tx): Promise<void> {
  await tx.execute(`UPDATE registry.version SET version = version + 1, changed_at = now() WHERE entity = 'director'`)
}

const perKind = (rows: readonly { readonly kind: SuppressionKind }[]) => ({
  emails: rows.filter(({ kind }) => kind === 'email').length,
  mobiles: rows.filter(({ kind }) => kind === 'mobile').length,
  dins: rows.filter(({ kind }) => kind === 'din').length,
  pans: rows.filter(({ kind }) => kind === 'pan').length,
})
