/**
 * A month of the ledger as sums: the balance of every account on its last day, and what was paid, earned and given
 * back within it. All sums are read from transfers, payments and repayments, which are append-only.
 */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Month } from './month.ts'

export interface AccountBalance {
  readonly account: string
  readonly currency: 'credits' | 'paise'
  /** One of the two is 0. */
  readonly debit: number
  readonly credit: number
}

export interface ProductRevenue {
  /** As sold: a pack, a plan or an offer; `records` for orders paid online. */
  readonly product: string
  /** Paise without tax, earned as credits were spent and time passed, less refunds. */
  readonly earned: number
  /** Paise earned from lapsed credits, less refunds. */
  readonly breakage: number
}

export interface MonthSums {
  /** All in paise. What buyers paid, without tax, and the tax. */
  readonly sold: number
  readonly sold_tax: number
  readonly revenue: number
  /** Earned from lapsed credits; not included in revenue. */
  readonly breakage: number
  /** Owed in credits and time on the last day. */
  readonly deferred: number
  readonly fees: number
  readonly fee_taxes: number
  readonly refunds: number
  readonly refunds_tax: number
  readonly chargebacks: number
  readonly chargebacks_tax: number
  /** Owed by buyers on the last day. */
  readonly receivables: number
  readonly collected: number
  readonly written_off: number
}

const inMonth = 'created_at >= runtime.indian_midnight($1) AND created_at < runtime.indian_midnight($2::date + 1)'
const daysOf = ({ firstDay, lastDay }: Month) => [firstDay, lastDay]

/** As of the last day; in each currency, debits equal credits. */
export function trialBalance(db: Queryable, { lastDay }: Month): Promise<AccountBalance[]> {
  return db.query<AccountBalance>(
    `SELECT kind AS account, currency, greatest(coalesce(sum(amount), 0), 0)::bigint AS debit,
            greatest(coalesce(-sum(amount), 0), 0)::bigint AS credit
     FROM ledger.account LEFT JOIN (
       SELECT to_id AS ledger_account_id, amount FROM ledger.transfer WHERE created_at < runtime.indian_midnight($1::date + 1)
       UNION ALL
       SELECT from_id, -amount FROM ledger.transfer WHERE created_at < runtime.indian_midnight($1::date + 1)) AS entry USING (ledger_account_id)
     GROUP BY kind, currency ORDER BY currency DESC, kind`,
    [lastDay],
  )
}

/** By product sold, whichever lot its money is in. */
export function revenueByProduct(db: Queryable, month: Month): Promise<ProductRevenue[]> {
  return db.query<ProductRevenue>(
    sql`WITH moved AS (
       SELECT lot_id, coalesce(sum(CASE kind WHEN 'earn' THEN amount WHEN 'unearn' THEN -amount END), 0) AS earned,
              coalesce(sum(CASE kind WHEN 'lapse' THEN amount WHEN 'unlapse' THEN -amount END), 0) AS breakage
       FROM ledger.transfer WHERE kind IN ('earn', 'unearn', 'lapse', 'unlapse') AND ${inMonth} GROUP BY lot_id
     )
     SELECT coalesce(sold.product, 'records') AS product, sum(moved.earned)::bigint AS earned, sum(moved.breakage)::bigint AS breakage
     FROM moved LEFT JOIN LATERAL (
       SELECT checkout.product FROM ledger.transfer AS payment
       JOIN orders.payment AS paid ON payment.reference = 'payment:' || paid.provider || ':' || paid.payment_id || ':net'
       JOIN orders.checkout USING (checkout_id)
       WHERE payment.lot_id = moved.lot_id AND payment.kind = 'payment' ORDER BY payment.transfer_id LIMIT 1) AS sold ON true
     GROUP BY 1 ORDER BY 1`,
    daysOf(month),
  )
}

/** In the order of the report. */
export const sumNames = [
  ...(['sold', 'sold_tax', 'revenue', 'breakage', 'deferred', 'fees', 'fee_taxes', 'refunds', 'refunds_tax'] as const),
  ...(['chargebacks', 'chargebacks_tax', 'receivables', 'collected', 'written_off'] as const),
] satisfies (keyof MonthSums)[]

export async function monthSums(db: Queryable, month: Month): Promise<MonthSums> {
  const [row] = await db.query<MonthSums>(
    sql`WITH moved AS (
       SELECT kind, amount, CASE WHEN reference LIKE 'repayment:%' THEN (
                SELECT cause FROM orders.repayment
                WHERE (provider, refund_id) = (split_part(reference, ':', 2), substring(reference FROM '^repayment:[^:]+:(.*):[a-z]+$'))) END AS cause
       FROM ledger.transfer WHERE ${inMonth}
     ), standing AS (
       SELECT kind, coalesce(sum(amount), 0) AS amount FROM ledger.account LEFT JOIN (
         SELECT to_id AS ledger_account_id, amount FROM ledger.transfer WHERE created_at < runtime.indian_midnight($2::date + 1)
         UNION ALL SELECT from_id, -amount FROM ledger.transfer WHERE created_at < runtime.indian_midnight($2::date + 1)) AS entry
         USING (ledger_account_id)
       WHERE kind IN ('unearned', 'receivables') GROUP BY kind
     )
     SELECT
       coalesce(sum(amount) FILTER (WHERE kind = 'payment'), 0)::bigint AS sold,
       coalesce(sum(amount) FILTER (WHERE kind = 'tax'), 0)::bigint AS sold_tax,
       coalesce(sum(CASE kind WHEN 'earn' THEN amount WHEN 'unearn' THEN -amount END), 0)::bigint AS revenue,
       coalesce(sum(CASE kind WHEN 'lapse' THEN amount WHEN 'unlapse' THEN -amount END), 0)::bigint AS breakage,
       (SELECT -amount FROM standing WHERE kind = 'unearned')::bigint AS deferred,
       coalesce(sum(amount) FILTER (WHERE kind = 'fee'), 0)::bigint AS fees,
       coalesce(sum(amount) FILTER (WHERE kind = 'fee_tax'), 0)::bigint AS fee_taxes,
       coalesce(sum(amount) FILTER (WHERE kind = 'repay' AND cause = 'refund'), 0)::bigint AS refunds,
       coalesce(sum(amount) FILTER (WHERE kind = 'repay_tax' AND cause = 'refund'), 0)::bigint AS refunds_tax,
       coalesce(sum(amount) FILTER (WHERE kind IN ('repay', 'overpay') AND cause = 'chargeback'), 0)::bigint AS chargebacks,
       coalesce(sum(amount) FILTER (WHERE kind = 'repay_tax' AND cause = 'chargeback'), 0)::bigint AS chargebacks_tax,
       (SELECT amount FROM standing WHERE kind = 'receivables')::bigint AS receivables,
       coalesce(sum(amount) FILTER (WHERE kind = 'collect'), 0)::bigint AS collected,
       coalesce(sum(amount) FILTER (WHERE kind = 'write_off'), 0)::bigint AS written_off
     FROM moved`,
    daysOf(month),
  )
  if (!row) throw new Error('the sums of a month are one row')
  return row
}
