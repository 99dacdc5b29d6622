/**
 * build-leads freezes the lead rows of a paid order. It may run more than once: leads that exist are left alone, so a
 * second run builds only what is missing.
 */
import { buildLeads } from '../src/leads/build-leads.ts'
import { refundItems } from '../src/orders/ledger.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export interface BuildLeadsOptions {
  /** Value of the column Lead_Source. */
  readonly leadSource: string
}

export function buildLeadsJob({ leadSource }: BuildLeadsOptions): Job<typeof queues.buildLeads> {
  return defineJob(queues.buildLeads, async ({ orderId }, { db, log }) => {
    const { built } = await buildLeads(db, { orderId, leadSource, refund: refundItems })
    log.info({ orderId, built }, 'leads built')
    return { built }
  })
}
