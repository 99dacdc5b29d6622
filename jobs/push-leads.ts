/**
 * push-leads delivers one push: the leads of an order into one destination. It may run more than once: the delivery
 * ledger is kept per lead, so a second run sends only what is still open.
 */
import type { DeliveryParts } from '../src/deliver/open-destination.ts'
import { runPush } from '../src/deliver/run-push.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export function pushLeadsJob(options: Omit<DeliveryParts, 'db'>): Job<typeof queues.pushLeads> {
  return defineJob(queues.pushLeads, async ({ pushId }, { db, log, signal, attempt }) => {
    const lastAttempt = attempt >= queues.pushLeads.retryLimit
    const counts = await runPush({ ...options, db }, pushId, { signal, lastAttempt })
    log.info({ pushId, ...counts }, 'leads pushed')
    return counts
  })
}
