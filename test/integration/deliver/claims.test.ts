/** A batch costs what it takes, however many records wait behind it and however many were taken before. */
import { expect, test } from 'vitest'
import type { Db, Sql } from '../../../src/db/db.ts'
import { takeLease } from '../../../src/deliver/lease.ts'
import { type ClaimPass, claimLeads, claimPass } from '../../../src/deliver/ledger/ledger.ts'
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
  readonly Plans?: readonly PlanNode[]
}
interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const rowsOf = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * Math.max(1, node['Actual Loops'])

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
          const [explained] = await tx.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
          const nodes = (explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
          told.push(Math.max(...nodes.map(rowsOf)))
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      return db.query<R>(sql, values)
    },
  }
}

test('a batch is taken without looking at the records behind it or before it, whether the planner knows the table or not', async () => {
  const { db } = database
  const accountId = await insertAccount(db)
  const orderId = await insertOrder(
    db,
    accountId,
    Array.from({ length: waiting }, (_, n) => gstLead(n)),
  )
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', 'one', 'a', '') RETURNING destination_id AS id`,
    [accountId],
  )
  const destinationId = destination?.id ?? ''
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
