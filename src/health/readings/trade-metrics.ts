/** Pushes, the limits of CRMs, orders and credits as gauges: what is open, and what the last day brought. */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { countOpenReports } from '../../orders/disputes.ts'
import { countOpenEvents } from '../../orders/payments/payment-events.ts'

export type TradeMetrics = ReturnType<typeof tradeMetrics>

export function tradeMetrics(registers: Registry[]) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers })
  return {
    pushes: gauge('panji_pushes', 'Unfinished pushes, and those that failed in the last day, by status.', ['status']),
    crmsHeld: gauge('panji_crm_accounts_held', 'CRM accounts that have asked for a pause that is not over.', []),
    crmShare: gauge(
      'panji_crm_daily_calls_share_max',
      'Largest share of its daily calls that a CRM account has used.',
      [],
    ),
    orders: gauge('panji_orders_last_day', 'Orders of the last day, by status and payment.', ['status', 'payment']),
    pending: gauge('panji_orders_pending', 'Orders waiting for payment.', []),
    estimated: gauge('panji_orders_estimated', "Estimated number of all orders, from the planner's statistics.", []),
    credits: gauge(
      'panji_credits',
      'Unspent credits of all accounts; reported by processes that may read the ledger.',
      [],
    ),
    unseen: gauge('panji_payment_events_open', 'Events of the payment processor that need attention, by outcome.', [
      'outcome',
    ]),
    reports: gauge(
      'panji_reports_open',
      'Reported rows of orders that need an operator, by who reported them: buyer, or system for CRM rejections above the automatic share.',
      ['reported_by'],
    ),
    blocked: gauge('panji_addresses_blocked', 'Blocked addresses and networks; reported by API processes.', []),
  }
}

export async function setTradeMetrics(tx: Tx, metrics: TradeMetrics): Promise<void> {
  await setPushes(tx, metrics)
  await setOrders(tx, metrics)
  metrics.unseen.reset()
  for (const { outcome, events } of await countOpenEvents(tx)) metrics.unseen.set({ outcome }, events)
  for (const { reportedBy, reports } of await countOpenReports(tx)) {
    metrics.reports.set({ reported_by: reportedBy }, reports)
  }
  // The worker may read neither.
  const [may] = await tx.query<{ books: boolean; blocked: boolean }>(
    `SELECT has_table_privilege('ledger.account', 'SELECT') AS books,
            has_table_privilege('access.blocked_address', 'SELECT') AS blocked`,
  )
  if (may?.books) {
    const [held] = await tx.query<{ credits: number }>(
      `SELECT coalesce(sum(balance), 0)::float8 AS credits FROM ledger.account WHERE kind = 'credits'`,
    )
    metrics.credits.set(held?.credits ?? 0)
  }
  if (may?.blocked) {
    const [shut] = await tx.query<{ addresses: number }>(`SELECT count(*) AS addresses FROM access.blocked_address`)
    metrics.blocked.set(shut?.addresses ?? 0)
  }
}

export function resetTradeMetrics(metrics: TradeMetrics): void {
  for (const gauge of [metrics.pushes, metrics.orders, metrics.unseen, metrics.reports]) gauge.reset()
  const { crmsHeld, crmShare, credits, blocked, pending, estimated } = metrics
  for (const gauge of [crmsHeld, crmShare, credits, blocked, pending, estimated]) gauge.remove()
}

async function setOrders(tx: Tx, metrics: TradeMetrics): Promise<void> {
  const orders = await tx.query<{ status: string; payment: string; orders: number }>(
    `SELECT status, payment_status AS payment, count(*) AS orders FROM orders.purchase
     WHERE created_at > now() - interval '1 day' GROUP BY 1, 2`,
  )
  metrics.orders.reset()
  for (const { status, payment, orders: count } of orders) metrics.orders.set({ status, payment }, count)
  const [waiting] = await tx.query<{ pending: number; estimated: number }>(
    `SELECT (SELECT count(*) FROM orders.purchase WHERE status = 'pending') AS pending,
            (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'orders.purchase'::regclass) AS estimated`,
  )
  metrics.pending.set(waiting?.pending ?? 0)
  metrics.estimated.set(waiting?.estimated ?? 0)
}

async function setPushes(tx: Tx, metrics: TradeMetrics): Promise<void> {
  const pushes = await tx.query<{ status: string; pushes: number }>(
    `SELECT status, count(*) AS pushes FROM deliver.push WHERE status IN ('queued', 'running') GROUP BY status
     UNION ALL SELECT 'failed', count(*) FROM deliver.push
       WHERE status = 'failed' AND finished_at > now() - interval '1 day'`,
  )
  for (const status of ['queued', 'running', 'failed']) metrics.pushes.set({ status }, 0)
  for (const { status, pushes: count } of pushes) metrics.pushes.set({ status }, count)
  const [limits] = await tx.query<{ held: number; share: number }>(
    `SELECT count(*) FILTER (WHERE blocked_until > now()) AS held,
            coalesce(max(daily_used::float8 / nullif(daily_limit, 0)), 0)::float8 AS share FROM deliver.limiter`,
  )
  metrics.crmsHeld.set(limits?.held ?? 0)
  metrics.crmShare.set(limits?.share ?? 0)
}
