/**
 * deliver-leads wakes the reconciler, which brings one destination's CRM to its desired state. Safe to run repeatedly
 * and concurrently: one holder works, what failed stays due, and every worker checks for due work.
 */

import type { DeliveryParts } from '../src/deliver/destinations/open-destination.ts'
import { reconcile } from '../src/deliver/push/reconcile.ts'
import { wakeDue } from '../src/deliver/push/wake.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

export function deliverLeadsJob(options: Omit<DeliveryParts, 'db'>): Job<typeof queues.deliverLeads> {
  return defineJob(
    queues.deliverLeads,
    async ({ destinationId }, { db, log, signal }) => {
      const report = await reconcile({ ...options, db }, destinationId, signal)
      if (report.failure) log.warn({ destinationId, ...report }, 'a CRM did not accept its leads; they stay due')
      else if (!report.held) log.info({ destinationId, ...report }, 'leads delivered')
      return report
    },
    { everyMs: checkEveryMs, check: wakeDue },
  )
}
