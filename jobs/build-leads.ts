/**
 * build-leads freezes the lead rows of a paid order and requests their delivery. Idempotent: existing leads are
 * skipped, so a second run builds only what is missing, and each destination is notified once.
 */
import { deliverBuiltOrder } from '../src/deliver/push/automatic.ts'
import { buildLeads } from '../src/leads/build-leads.ts'
import { refundItems } from '../src/orders/ledger.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export interface BuildLeadsOptions {
  /** Value of the column Lead_Source. */
  readonly leadSource: string
}

export function buildLeadsJob({ leadSource }: BuildLeadsOptions): Job<typeof queues.buildLeads> {
  return defineJob(queues.buildLeads, async ({ orderId }, { db, queue, log }) => {
    const { built } = await buildLeads(db, { orderId, leadSource, refund: refundItems })
    const destinations = await deliverBuiltOrder(db, queue, orderId)
    log.info({ orderId, built, destinations }, 'leads built')
    return { built, destinations: destinations.length }
  })
}
