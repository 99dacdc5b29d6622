/**
 * The figures of a month, from the raw tables alone: payments, what went back, documents, lots and the two accounts of each transfer.
 * Neither the report's statements nor the database's functions for days and kinds are asked.
 */
import type { Queryable } from '../../../src/db/db.ts'

const zone = (column: string) => `(${column} AT TIME ZONE 'Asia/Kolkata')`
const within = (column: string) => `${zone(column)} >= $1::date AND ${zone(column)} < $1::date + interval '1 month'`
const until = (column: string) => `${zone(column)} < $1::date + interval '1 month'`

/** Paise from one account to another within the month. */
export async function flowsOf(db: Queryable, month: string): Promise<(from: string, to: string) => number> {
  const rows = await db.query<{ source: string; target: string; paise: number }>(
    `SELECT source.kind AS source, target.kind AS target, sum(amount) AS paise FROM ledger.transfer
     JOIN ledger.account AS source ON source.ledger_account_id = from_id
     JOIN ledger.account AS target ON target.ledger_account_id = to_id
     WHERE source.currency = 'paise' AND ${within('created_at')} GROUP BY 1, 2`,
    [`${month}-01`],
  )
  return (from, to) => rows.find(({ source, target }) => source === from && target === to)?.paise ?? 0
}

/** Of each account on the last day: what it holds, with minus what it owes. */
export async function standingOf(db: Queryable, month: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ account: string; amount: number }>(
    `SELECT account.kind || ' ' || currency AS account, sum(CASE WHEN to_id = ledger_account_id THEN amount ELSE -amount END) AS amount
     FROM ledger.account JOIN ledger.transfer ON ledger_account_id IN (from_id, to_id) AND ${until('transfer.created_at')}
     GROUP BY 1`,
    [`${month}-01`],
  )
  return new Map(rows.map(({ account, amount }) => [account, amount]))
}

/** What buyers of the month paid, with the tax that 18 percent make in two equal halves, and what went back, by who took it. */
export async function paymentsOf(db: Queryable, accounts: readonly string[]) {
  const [row] = await db.query<Record<'paid' | 'tax' | 'refunded' | 'refundedTax' | 'charged' | 'chargedTax', number>>(
    `WITH payment AS (
       SELECT payment_id, p.amount FROM orders.payment p LEFT JOIN orders.purchase USING (order_id)
       LEFT JOIN orders.checkout USING (checkout_id) WHERE coalesce(purchase.account_id, checkout.account_id) = ANY ($1)
     ), back AS (
       SELECT cause, r.amount, coalesce(cgst + sgst + igst, 0) AS tax FROM orders.repayment r JOIN payment USING (payment_id)
       LEFT JOIN orders.invoice ON series = 'PC' AND reference = 'repayment:' || provider || ':' || refund_id
     )
     SELECT (SELECT sum(amount) FROM payment) AS paid, (SELECT sum(2 * round(amount * 18 / 236.0)) FROM payment) AS tax,
            coalesce(sum(amount) FILTER (WHERE cause = 'refund'), 0) AS refunded, coalesce(sum(tax) FILTER (WHERE cause = 'refund'), 0) AS "refundedTax",
            coalesce(sum(amount) FILTER (WHERE cause = 'chargeback'), 0) AS charged,
            coalesce(sum(tax) FILTER (WHERE cause = 'chargeback'), 0) AS "chargedTax" FROM back`,
    [accounts],
  )
  if (!row) throw new Error('sums have one row')
  return row
}

/** Of each product what its lots have earned, and what they still owe. */
export async function lotsOf(db: Queryable, accounts: readonly string[]) {
  return db.query<{ product: string; earned: number; owed: number }>(
    `SELECT coalesce(checkout.product, 'records') AS product, sum(earned) AS earned, sum(paid - earned) AS owed
     FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
     LEFT JOIN access.subscription_term AS term USING (lot_id)
     LEFT JOIN orders.payment ON 'payment:' || provider || ':' || payment_id = coalesce(lot.sale, term.reference)
     LEFT JOIN orders.checkout USING (checkout_id)
     WHERE owner_id = ANY ($1) GROUP BY 1 HAVING sum(earned) + sum(paid) > 0 ORDER BY 1`,
    [accounts],
  )
}

export async function documentsOf(db: Queryable, month: string) {
  return db.query<{ number: string; series: string; net: number; tax: number; total: number; against: string | null }>(
    `SELECT number, series, net, cgst + sgst + igst AS tax, total, against FROM orders.invoice WHERE ${within('issued_at')} ORDER BY number`,
    [`${month}-01`],
  )
}
