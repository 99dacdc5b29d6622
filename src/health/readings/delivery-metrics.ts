/** Deliveries and destinations as gauges, for the whole instance. */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { deliveryOutcomes } from '../../deliver/record/list-deliveries.ts'

const states = ['active', 'paused', 'broken'] as const

export function deliveryMetrics(registers: Registry[]) {
  return {
    deliveries: new Gauge({
      name: 'panji_deliveries_last_day',
      help: 'Deliveries that changed in the last day, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    waiting: new Gauge({
      name: 'panji_deliveries_waiting',
      help: 'Records waiting to be delivered to their CRM.',
      registers,
    }),
    leftOut: new Gauge({
      name: 'panji_deliveries_left_out',
      help: 'Leads delivered in the last day that still lack some fields, by destination.',
      labelNames: ['destination'],
      registers,
    }),
    oldest: new Gauge({
      name: 'panji_deliveries_oldest_waiting_age_seconds',
      help: 'Age of the oldest lead that is not delivered yet, by the status of its destination; 0 if there is none.',
      labelNames: ['status'],
      registers,
    }),
    destinations: new Gauge({
      name: 'panji_destinations',
      help: 'Destinations by status; broken ones are retried automatically.',
      labelNames: ['status'],
      registers,
    }),
  }
}

export async function setDeliveryMetrics(tx: Tx, metrics: ReturnType<typeof deliveryMetrics>): Promise<void> {
  for (const outcome of deliveryOutcomes) metrics.deliveries.set({ outcome }, 0)
  for (const status of states) {
    metrics.destinations.set({ status }, 0)
    metrics.oldest.set({ status }, 0)
  }
  const outcomes = await tx.query<{ outcome: string; deliveries: number }>(
    `SELECT CASE state WHEN 'acknowledged' THEN outcome WHEN 'sending' THEN 'pending' ELSE state END AS outcome,
       count(*) AS deliveries
     FROM deliver.delivery WHERE updated_at > now() - interval '1 day' GROUP BY 1`,
  )
  for (const { outcome, deliveries } of outcomes) metrics.deliveries.set({ outcome }, deliveries)
  metrics.leftOut.reset()
  const lacking = await tx.query<{ destination: string; leads: number }>(
    `SELECT d.destination_id AS destination, count(DISTINCT r.external_id) AS leads
     FROM deliver.delivery d
     JOIN deliver.record r USING (destination_id, external_id)
     JOIN deliver.destination o USING (destination_id)
     WHERE d.updated_at > now() - interval '1 day' AND d.state = 'acknowledged' AND d.last_error IS NOT NULL
       AND r.state = 'acknowledged' AND r.last_error IS NOT NULL AND o.status <> 'removed' GROUP BY 1`,
  )
  for (const { destination, leads } of lacking) metrics.leftOut.set({ destination }, leads)
  const [open] = await tx.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM deliver.record r JOIN deliver.destination USING (destination_id)
     WHERE r.state IN ('pending', 'sending', 'unknown') AND status <> 'removed'`,
  )
  metrics.waiting.set(open?.waiting ?? 0)
  const oldest = await tx.query<{ status: string; age: number }>(
    `SELECT destination.status, extract(epoch FROM now() - min(waits.since))::float8 AS age
     FROM (SELECT destination_id, min(version) AS since FROM deliver.record
           WHERE state IN ('pending', 'sending', 'unknown') GROUP BY 1
           UNION ALL
           SELECT destination_id, min(requested_at) FROM deliver.push WHERE status IN ('queued', 'running') GROUP BY 1
          ) AS waits JOIN deliver.destination USING (destination_id)
     WHERE destination.status <> 'removed' GROUP BY 1`,
  )
  for (const { status, age } of oldest) metrics.oldest.set({ status }, Math.max(0, age))
  const destinations = await tx.query<{ status: string; destinations: number }>(
    `SELECT status, count(*) AS destinations FROM deliver.destination WHERE status <> 'removed' GROUP BY status`,
  )
  for (const { status, destinations: count } of destinations) metrics.destinations.set({ status }, count)
}
