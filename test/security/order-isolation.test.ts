/** Orders of one account from several pools at once, whatever isolation the role, the database or the server has by default. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { creditBalance } from '../../src/orders/ledger.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { createAccount, gstinOf, insertContact, insertGst } from '../integration/orders/world.ts'
import { recordJobs } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const name = () => new URL(database.url).pathname.slice(1)
let pools: Db[] = []

beforeAll(async () => {
  for (let serial = 0; serial < 200; serial++) {
    await insertGst(database.db, gstinOf(serial))
    await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})
afterAll(async () => {
  for (const pool of pools) await pool.close()
})

test.each(['read committed', 'repeatable read', 'serializable'])(
  'of 200 parallel orders with credits for 100, exactly 100 succeed where %s is the default',
  async (level) => {
    const { db } = database
    const accountId = await createAccount(db, 100)
    await db.execute(`ALTER DATABASE ${name()} SET default_transaction_isolation = '${level}'`)
    pools = Array.from({ length: 4 }, (_, index) =>
      openDb({ connectionString: database.url, applicationName: `panji-test-${index}`, connectionsMax: 6 }),
    )
    const place = (serial: number) =>
      placeOrder(
        pools[serial % 4] ?? db,
        recordJobs(),
        { onlineLabel: 'online' },
        {
          accountId,
          orderName: level,
          paymentOption: 'credits',
          items: [{ type: 'gst' as const, name: 'X', number: gstinOf(serial) }],
        },
      )
    // As many at a time as there are connections: none waits for one in vain on a busy machine.
    const serials = Array.from({ length: 200 }, (_, serial) => serial).values()
    const orders: PromiseSettledResult<unknown>[] = []
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        for (const serial of serials) orders.push(...(await Promise.allSettled([place(serial)])))
      }),
    )
    for (const pool of pools) await pool.close()
    pools = []
    const refused = orders.flatMap((order) => (order.status === 'rejected' ? [order.reason as unknown] : []))
    expect(refused).toEqual(
      Array.from({ length: 100 }, () => expect.objectContaining({ code: 'INSUFFICIENT_CREDITS' })),
    )
    expect(await creditBalance(db, accountId)).toBe(0)
    expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
  },
)
