/** Paid orders of the bench's account with their leads, written set-based: company leads of realistic width. */
import type { Db } from '../../src/db/db.ts'
import { sqlFile } from '../../src/db/sql-file.ts'

const statement = sqlFile(import.meta.url, 'orders.sql')

/** @returns the ids of the orders, each with as many leads. */
export async function seedOrders(db: Db, orders: number, leadsEach: number): Promise<string[]> {
  const started = performance.now()
  const ids: string[] = []
  for (let at = 0; at < orders; at += 50) {
    const some = Math.min(50, orders - at)
    const rows = await db.transaction(async (tx) => {
      // The rows satisfy the triggers' checks by construction.
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      return tx.query<{ id: string }>(statement, [some, leadsEach])
    })
    ids.push(...rows.map(({ id }) => id))
  }
  await db.execute('ANALYZE orders.purchase, orders.item, orders.lead')
  console.error(
    `seeded ${orders} orders of ${leadsEach} leads in ${Math.round((performance.now() - started) / 1000)} s`,
  )
  return ids
}
