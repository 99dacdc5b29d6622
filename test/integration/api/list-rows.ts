/** Rows of lists, a few alike in each column that a list is sorted by, written as the parts write them that own the tables. */
import type { Db } from '../../../src/db/db.ts'
import { recordEvent } from '../../../src/orders/payments/payment-events.ts'

/** Makes one more. */
export type RowMaker = () => Promise<unknown>

/** Told how many it has made. */
export function counting(make: (n: number) => Promise<unknown>): RowMaker {
  let made = 0
  return () => make(made++)
}

export const pick = <T>(values: readonly T[], n: number): T => values[n % values.length] as T
const dayOf = (n: number) => `2026-05-0${1 + (n % 4)}T06:00:00Z`

export async function listRows(db: Db, accountId: string): Promise<Record<string, RowMaker>> {
  const [destination] = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, settings_encrypted, remote_account)
     VALUES ($1, 'hubspot', 'Sorted', '\\x00', 'sorted') RETURNING destination_id AS id`,
    [accountId],
  )
  const order = (n: number, at = dayOf(n)) =>
    db.query<{ id: string }>(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count, created_at)
       VALUES ($1, $2, $3, $4, 'paid', $5, $6, $7) RETURNING order_id AS id`,
      [
        ...[accountId, pick(['Goa', 'anand', 'Kerala', 'goa'], n), pick(['credits', 'online'], n)],
        ...[pick(['completed', 'pending', 'cancelled'], n), pick([5, 40, 12], n), pick([3, 20, 100, 7], n), at],
      ],
    )
  return {
    orders: counting((n) => order(n)),
    ordersOfNow: counting((n) => order(n, new Date().toISOString())),
    invoices: counting(async (n) => {
      await db.execute(
        `INSERT INTO orders.invoice_counter AS c (series, financial_year, last) VALUES ('PI', '2627', 1)
         ON CONFLICT (series, financial_year) DO UPDATE SET last = c.last + 1`,
      )
      const net = pick([100_000, 9_900, 50_000], n)
      return db.execute(
        `INSERT INTO orders.invoice (number, series, financial_year, serial, account_id, issued_at, reference, description, lines,
           sac, rate, place_of_supply, seller, buyer, net, cgst, sgst, igst, total, pdf)
         VALUES ($1, 'PI', '2627', $2, $3, $4, $1, 'credits', '[]', '998439', 18, '30', '{"name":"S"}', '{"name":"B","address":"A"}',
           $5::bigint, 0, 0, $6::bigint, $5::bigint + $6::bigint, '\\x25')`,
        [`PI-2627-${String(n + 1).padStart(7, '0')}`, n + 1, accountId, dayOf(n), net, pick([0, 18_000], n)],
      )
    }),
    payments: counting((n) =>
      recordEvent(db, {
        ...{ provider: 'razorpay', source: 'webhook', name: 'payment.captured' },
        outcome: pick(['credited', 'paid', 'ignored'] as const, n),
        amount: pick([118_000, undefined, 9_000], n),
      }),
    ),
    deliveries: counting(async (n) => {
      const [bought] = await order(n)
      const identifier = `U74999GA2020PTC${String(n).padStart(6, '0')}`
      await db.execute(
        `WITH item AS (
           INSERT INTO orders.item (order_id, position, type, identifier, name) VALUES ($1, 0, 'company', $2, $3) RETURNING item_id
         )
         INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state, outcome, created_at, updated_at)
         SELECT $4, item_id, $1, 'company:' || $2, $5, $6, $7, $8 FROM item`,
        [
          ...[bought?.id, identifier, pick(['Coral', 'amber', 'Basil', 'coral'], n), destination?.id],
          ...[
            pick(['acknowledged', 'rejected', 'pending'], n),
            pick(['created', null, null], n),
            dayOf(n),
            dayOf(n + 1),
          ],
        ],
      )
    }),
    standing: counting((n) =>
      db.execute(
        `WITH made AS (
           INSERT INTO orders.standing_order (account_id, name, state, state_by, state_at, buys)
           VALUES ($1, $2, $3, 'system', $4, false) RETURNING standing_order_id
         )
         INSERT INTO orders.standing_query (standing_order_id, version, source, type, query, has_mobile, has_email, active_only, created_by)
         SELECT standing_order_id, 1, 'screener', 'company', 'paidUpCapital > 1', false, false, true, 'system' FROM made`,
        [accountId, pick(['Goa', 'anand', 'goa'], n), pick(['active', 'draft', 'ended'], n), dayOf(n)],
      ),
    ),
    watchlists: counting((n) =>
      db.execute('INSERT INTO access.watchlist (account_id, name, type, created_at) VALUES ($1, $2, $3, $4)', [
        ...[accountId, pick(['Goa', 'anand', 'goa'], n), pick(['gst', 'company'], n), dayOf(n)],
      ]),
    ),
    suppressions: counting((n) =>
      db.execute(
        `INSERT INTO access.suppression (kind, hash, key_id, created_by, created_at)
         VALUES ($1, decode(md5($2::text), 'hex'), 'none', $3, $4)`,
        [pick(['email', 'din', 'mobile'], n), n, pick(['operator:asha', 'operator:ravi'], n), dayOf(n)],
      ),
    ),
    runs: counting((n) =>
      db.execute(
        `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ($1, 'file.csv', 'delta', $2, $3)`,
        [...[pick(['gst', 'mca-companies'], n), dayOf(n).slice(0, 10), pick(['succeeded', 'failed', 'no_op'], n)]],
      ),
    ),
  }
}
