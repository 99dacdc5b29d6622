/** A batch costs what it takes, and an order what it brings, however much else their destination has. */
import { expect, test } from 'vitest'
import type { Db, Queryable, Sql } from '../../../src/db/db.ts'
import { sqlFile } from '../../../src/db/sql-file.ts'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { enqueuePush } from '../../../src/deliver/push/enqueue.ts'
import { type ClaimPass, claimLeads, claimPass, recordOutcomes } from '../../../src/deliver/record/ledger.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const waiting = 1_000
const batch = 10

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const rowsOf = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
  Math.max(1, node['Actual Loops'])
/** The most rows that one step of a statement looks at. */
async function lookedAt(db: Queryable, text: string, values?: readonly unknown[]): Promise<number> {
  const [explained] = await db.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
  const nodes = (explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
  return Math.max(...nodes.map(rowsOf))
}

/** Runs each claim twice, the first time to be explained and undone. */
function explaining(db: Db, told: number[]): Db {
  const undo = new Error('only explained')
  return {
    ...db,
    async query<R extends object>(sql: Sql, values?: readonly unknown[]): Promise<R[]> {
      const text = typeof sql === 'string' ? sql : sql.text
      if (!text.includes('UPDATE deliver.record')) return db.query<R>(sql, values)
      await db
        .transaction(async (tx) => {
          told.push(await lookedAt(tx, text, values))
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      return db.query<R>(sql, values)
    },
  }
}

async function destinationOf(accountId: string, name: string): Promise<string> {
  const [destination] = await database.db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', $2, $2, '') RETURNING destination_id AS id`,
    [accountId, name],
  )
  return destination?.id ?? ''
}

test('a batch is taken without looking at the records behind it or before it, whether the planner knows the table or not', async () => {
  const { db } = database
  const accountId = await insertAccount(db)
  const orderId = await insertOrder(
    db,
    accountId,
    Array.from({ length: waiting }, (_, n) => gstLead(n)),
  )
  const destinationId = await destinationOf(accountId, 'one')
  await db.execute(
    `INSERT INTO deliver.record (destination_id, external_id, item_id, desired_sha256, version, state)
     SELECT $2, type || ':' || identifier, item_id, '', now(), 'pending' FROM orders.item WHERE order_id = $1`,
    [orderId, destinationId],
  )
  const lease = await takeLease(db, destinationId)
  if (!lease) throw new Error('nobody else holds this destination')
  const looked: number[] = []
  const taken: string[] = []
  const pass = claimPass()
  const take = async (count: number, from: Db, at: ClaimPass) => {
    for (let n = 0; n < count; n += 1) {
      const leads = await claimLeads(from, lease, batch, at)
      taken.push(...leads.map(({ externalId }) => externalId))
    }
  }
  await take(2, explaining(db, looked), pass)
  await db.execute('ANALYZE deliver.record')
  await db.execute('ANALYZE orders.item')
  await take(2, explaining(db, looked), pass)
  await take(waiting / batch / 2 - 4, db, pass)
  await take(2, explaining(db, looked), pass)
  await db.execute('ANALYZE deliver.record')
  await take(2, explaining(db, looked), pass)
  expect(looked).toHaveLength(8)
  for (const rows of looked) expect(rows).toBeLessThanOrEqual(4 * batch)
  expect(new Set(taken).size, 'none is taken twice').toBe(taken.length)
  expect(taken).toEqual(taken.toSorted())
})

test('an order is enqueued, answered, planned and counted without looking at what else its destination has, though the planner knows nothing of it', async () => {
  const { db } = database
  const accountId = await insertAccount(db)
  const placed = async (from: number, count: number) =>
    insertOrder(
      db,
      accountId,
      Array.from({ length: count }, (_, n) => gstLead(from + n)),
    )
  const pushed = async (orderId: string, destinationId: string, enqueue: typeof enqueuePush) => {
    const [push] = await db.query<{ pushId: string }>(
      `INSERT INTO deliver.push (order_id, destination_id, status) VALUES ($1, $2, 'queued') RETURNING push_id AS "pushId"`,
      [orderId, destinationId],
    )
    const pushId = push?.pushId ?? ''
    let isMore = true
    while (isMore) isMore = await db.transaction((tx) => enqueue(tx, { pushId, orderId, destinationId }))
    return pushId
  }
  const many = 8_000
  const known = await destinationOf(accountId, 'known')
  await pushed(await placed(10_000, many), known, enqueuePush)
  for (const table of ['deliver.record', 'deliver.delivery', 'orders.lead', 'orders.item'])
    await db.execute(`ANALYZE ${table}`)

  const leads = 200
  const orderId = await placed(5_000, leads)
  const destinationId = await destinationOf(accountId, 'new')
  await pushed(orderId, destinationId, enqueuePush)
  const looked: number[] = []
  const explained: typeof enqueuePush = (tx, push) =>
    enqueuePush(
      {
        query: (sql, values) => tx.query(sql, values),
        async execute(sql, values) {
          const text = typeof sql === 'string' ? sql : sql.text
          if (text.includes('INSERT INTO deliver.')) {
            await tx.execute('SAVEPOINT only_explained')
            looked.push(await lookedAt(tx, text, values))
            await tx.execute('ROLLBACK TO SAVEPOINT only_explained')
          }
          return tx.execute(sql, values)
        },
      },
      push,
    )
  const pushId = await pushed(orderId, destinationId, explained)
  const lease = await takeLease(db, destinationId)
  if (!lease) throw new Error('nobody else holds this destination')
  const answered: number[] = []
  for (let n = 0; n < 2; n += 1) {
    const taken = await claimLeads(explaining(db, answered), lease, batch)
    const outcomes = taken.map(({ externalId }) => ({ status: 'created', crmId: externalId, values: {} }) as const)
    await recordOutcomes(explaining(db, answered), lease, taken, outcomes)
  }
  expect(answered).toHaveLength(4)
  for (const rows of answered) expect(rows).toBeLessThanOrEqual(4 * batch)
  for (const [path, values] of [
    ['plan/plan-leads.sql', [destinationId, orderId]],
    ['record/counts.sql', [destinationId, orderId, pushId]],
  ] as const)
    looked.push(await lookedAt(db, sqlFile(import.meta.url, `../../../src/deliver/${path}`), values))
  expect(looked).toHaveLength(4)
  // A look at all of the destination for each lead would be 40,000 rows.
  for (const rows of looked) expect(rows).toBeLessThanOrEqual(2 * (many + waiting + leads))
})
