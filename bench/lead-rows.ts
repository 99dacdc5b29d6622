/**
 * The lead rows of orders of a thousand items, as an export reads them, compared with one hand-written query per order
 * that reads the same rows. The two alternate, so that other work of the machine affects both alike.
 *
 * npm run bench -- lead-rows [--orders 100] [--rounds 3]
 */
import { parseArgs } from 'node:util'
import { createAccount } from '../src/access/accounts.ts'
import { openDb } from '../src/db/db.ts'
import { leadSlices } from '../src/leads/lead-slices.ts'
import { sliceLimit } from '../src/leads/slice-limit.ts'
import { withEmptyDatabase } from './bench-database.ts'
import { median, ratio } from './latency.ts'
import { seedOrders } from './seed/orders.ts'

const { values: options } = parseArgs({
  options: { orders: { type: 'string', default: '100' }, rounds: { type: 'string', default: '3' } },
})
const rowsPerOrder = 1000

await withEmptyDatabase(undefined, async ({ databaseUrl, db: seed }) => {
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench', connectionsMax: 1 })
  try {
    await createAccount(seed, { email: 'bench@example.com', plan: 'premium', isEnterprise: false })
    const ids = await seedOrders(seed, Number(options.orders), rowsPerOrder)
    const building = { leadSource: 'Panji', refund: async () => undefined }
    const panji = async (orderId: string): Promise<number> => {
      let rows = 0
      const order = { orderId, paymentStatus: 'paid', status: 'completed' }
      const slices = leadSlices([order], {
        settle: async () => {},
        read: (work) => work(db),
        building,
        parts: 'rows',
        limit: () => sliceLimit('rows', 1),
      })
      for await (const slice of slices) rows += slice.length
      return rows
    }
    const byHand = async (orderId: string): Promise<number> =>
      (
        await db.query(
          `SELECT lead.identifier, lead.flat FROM orders.lead JOIN orders.item USING (item_id)
           WHERE lead.order_id = $1 AND item.refunded_at IS NULL ORDER BY lead.position`,
          [orderId],
        )
      ).length
    const rounds: { panjiMs: number; byHandMs: number; ratio: number; cpuRatio: number }[] = []
    for (let round = 0; round <= Number(options.rounds); round++) {
      const spent = { panji: 0, byHand: 0 }
      const cpu = { panji: 0, byHand: 0 }
      for (const id of ids) {
        for (const [name, read] of [
          ['byHand', byHand],
          ['panji', panji],
        ] as const) {
          const [started, used] = [performance.now(), process.cpuUsage()]
          if ((await read(id)) !== rowsPerOrder) throw new Error('rows are missing')
          spent[name] += performance.now() - started
          const { user, system } = process.cpuUsage(used)
          cpu[name] += (user + system) / 1000
        }
      }
      // The first round warms both up.
      if (round === 0) continue
      rounds.push({
        panjiMs: Math.round(spent.panji),
        byHandMs: Math.round(spent.byHand),
        ratio: ratio(spent.panji, spent.byHand),
        cpuRatio: ratio(cpu.panji, cpu.byHand),
      })
    }
    console.log(
      JSON.stringify(
        { bench: 'lead-rows', orders: ids.length, rounds, ratio: median(rounds.map((each) => each.ratio)) },
        null,
        2,
      ),
    )
  } finally {
    await db.close()
  }
})
