/**
 * Orders a second with credits, one item each, compared with a bare transaction of the same writes by hand: on one
 * account, where each waits for the previous one, and over a hundred. And an account with a million entries compared
 * with one with sixteen: order and access statement.
 */
import { randomUUID } from 'node:crypto'
import { cpus, loadavg } from 'node:os'
import { type Db, openDb, type Tx } from '../src/db/db.ts'
import { gstinCheckDigit } from '../src/domain/gstin.ts'
import { creditStatement } from '../src/orders/credit-statement.ts'
import { grantCredits } from '../src/orders/ledger.ts'
import { placeOrder } from '../src/orders/place-order.ts'
import { startQueue } from '../src/queue/queue.ts'
import { queues } from '../src/queue/queues.ts'
import { withEmptyDatabase } from './bench-database.ts'

const connections = 8
const seconds = 4
const rounds = 3
const records = 60_000
const settings = { onlineLabel: 'online' }

interface Buyer {
  readonly accountId: string
  next: number
}

await withEmptyDatabase(undefined, async ({ databaseUrl, db: seed }) => {
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench', connectionsMax: connections })
  const queue = await startQueue({
    connectionString: databaseUrl,
    role: undefined,
    supervise: false,
    onError: () => {},
  })
  try {
    await seed.execute(
      `INSERT INTO registry.gst_taxpayer (gstin, kind, pan, legal_name, name_key, state_code, first_run_id, last_run_id, as_of)
       SELECT gstin, 'normal', substr(gstin, 3, 10), 'T', 't', '27', 1, 1, '2026-01-01' FROM unnest($1::text[]) AS t (gstin)`,
      [Array.from({ length: records }, (_, n) => realGstin(n))],
    )
    await seed.execute(
      `INSERT INTO registry.contact (id, entity, identifier, email, first_run_id, last_run_id, as_of)
       SELECT 'gst:' || gstin, 'gst', gstin, 'a@example.in', 1, 1, '2026-01-01' FROM registry.gst_taxpayer`,
    )
    await seed.execute('ANALYZE')
    const panji = (buyer: Buyer) => {
      const number = realGstin(buyer.next++ % records)
      const items = [{ type: 'gst' as const, name: 'T', number }]
      return placeOrder(db, queue, settings, {
        accountId: buyer.accountId,
        orderName: 'b',
        paymentOption: 'credits',
        items,
      })
    }
    const bare = (buyer: Buyer) =>
      db.transaction((tx) =>
        byHand(tx, buyer, (within) => queue.send(within, queues.buildLeads, { orderId: randomUUID() })),
      )
    for (const accounts of [1, 100]) {
      const of = async (act: (buyer: Buyer) => Promise<unknown>) => {
        const buyers = await Promise.all(Array.from({ length: accounts }, (_, n) => buyerOf(seed, n * 500)))
        return perSecond(buyers, act)
      }
      const ratios: { panji: number; bare: number }[] = []
      await of(bare)
      for (let round = 0; round < rounds; round++) ratios.push({ panji: await of(panji), bare: await of(bare) })
      const [middle] = ratios.toSorted((a, b) => a.panji / a.bare - b.panji / b.bare).slice(rounds >> 1)
      if (middle) say(`${accounts} account(s)`, { ...middle, ratio: middle.panji / middle.bare })
    }
    await longAccount(seed, db, panji)
  } finally {
    await queue.stop()
    await db.close()
  }
})

function realGstin(n: number): string {
  const first14 = `27AAACR${String(n % 10_000).padStart(4, '0')}K${1 + Math.floor(n / 10_000)}Z`
  return first14 + gstinCheckDigit(first14)
}

async function buyerOf(db: Db, next: number): Promise<Buyer> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO access.account (email, username, is_enterprise) VALUES (gen_random_uuid() || '@example.in', 'b', true)
     RETURNING account_id AS id`,
  )
  const accountId = row?.id ?? ''
  await db.transaction((tx) => grantCredits(tx, accountId, 1_000_000, `grant:${accountId}`))
  return { accountId, next }
}

/** The writes of an order of one item, and no more: what any implementation has to do. */
async function byHand(tx: Tx, { accountId }: Buyer, send: (tx: Tx) => Promise<unknown>): Promise<void> {
  const orderId = randomUUID()
  await tx.execute(
    `INSERT INTO orders.purchase (order_id, account_id, order_name, payment_option, status, payment_status, total_amount, items_count, paid_at)
     VALUES ($1, $2, 'b', 'credits', 'completed', 'paid', 1, 1, now())`,
    [orderId, accountId],
  )
  // One transfer: its row, the cached balance and the lot.
  const [charge] = await tx.query<{ id: number }>(
    `INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, order_id, actor)
     SELECT 'spend', 'order:' || $1::text, ledger_account_id, lot_id, 1, $1::uuid, 'bench'
     FROM ledger.account JOIN ledger.lot USING (ledger_account_id) WHERE owner_id = $2 RETURNING transfer_id AS id`,
    [orderId, accountId],
  )
  await tx.execute(
    `INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact, charge_id) VALUES ($1, 0, 'gst', 'x', 'x', true, $2)`,
    [orderId, charge?.id],
  )
  await send(tx)
  for (const kind of ['orders', 'ordered_items']) {
    await tx.execute(
      `INSERT INTO access.daily_usage AS d (account_id, kind, day, used) VALUES ($1, $2, current_date, 1)
       ON CONFLICT (account_id, kind, day) DO UPDATE SET used = d.used + 1`,
      [accountId, kind],
    )
  }
}

async function perSecond(buyers: readonly Buyer[], act: (buyer: Buyer) => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: connections }, async (_, worker) => {
      for (let n = worker; performance.now() < end; n += connections) {
        const buyer = buyers[n % buyers.length]
        if (!buyer) return
        await act(buyer)
        done += 1
      }
    }),
  )
  return done / seconds
}

async function longAccount(seed: Db, db: Db, order: (buyer: Buyer) => Promise<unknown>): Promise<void> {
  const [short, long] = [await buyerOf(seed, 0), await buyerOf(seed, 0)]
  for (let n = 0; n < 15; n++) await order(short)
  // The result of a million movements, without the million statements.
  await seed.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `INSERT INTO ledger.transfer (kind, reference, from_id, to_id, amount, customer_id, lot_id, balance_after, actor, created_at)
       SELECT 'spend', 'bench:' || n, ledger_account_id, (SELECT ledger_account_id FROM ledger.account WHERE kind = 'sales'), 1,
              ledger_account_id, lot_id, 1000000, 'bench', now()
       FROM ledger.account JOIN ledger.lot USING (ledger_account_id), generate_series(1, 1000000) AS n WHERE owner_id = $1`,
      [long.accountId],
    )
  })
  await seed.execute('ANALYZE ledger.transfer')
  // The two alternate, so that other work of the machine affects both alike.
  const times = async (act: (buyer: Buyer) => Promise<unknown>): Promise<[number, number]> => {
    const taken: [number[], number[]] = [[], []]
    for (let n = 0; n < 800; n++) {
      const buyer = n % 2 === 0 ? short : long
      const started = performance.now()
      await act(buyer)
      taken[n % 2]?.push(performance.now() - started)
    }
    const middle = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
    return [middle(taken[0]), middle(taken[1])]
  }
  for (const [name, act] of [
    ['order', order],
    ['access', ({ accountId }: Buyer) => creditStatement(db, accountId)],
  ] as const) {
    await times(act)
    const [few, many] = await times(act)
    say(`${name}, median ms`, { 'with 16 entries': few, 'with 1,000,000': many, ratio: many / few })
  }
}

function say(what: string, figures: Readonly<Record<string, number>>): void {
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(2)}`)
  console.log(`${what}: ${parts.join(', ')} (load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores)`)
}
