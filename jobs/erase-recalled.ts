/**
 * recall-leads erases from CRMs the records of people who objected. Idempotent: what is erased is not requested again.
 */
import type { DeliveryParts } from '../src/deliver/destinations/open-destination.ts'
import { recallLeads } from '../src/deliver/recall/recall-leads.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export function recallLeadsJob(options: Omit<DeliveryParts, 'db'>): Job<typeof queues.recallLeads> {
  return defineJob(queues.recallLeads, async (_payload, { db, log, signal }) => {
    const counts = await recallLeads({ ...options, db }, signal)
    log.info(counts, 'leads recalled')
    return { ...counts }
  })
}
