/**
 * keep-subscriptions renews subscriptions set to renew, ends those that are over, and notifies accounts of credits that
 * expire soon. Idempotent.
 */
import type { Db } from '../src/db/db.ts'
import { announceExpiring } from '../src/orders/announce-expiring.ts'
import { keepSubscriptions } from '../src/orders/subscriptions/keep-subscriptions.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** @param tradeDb renewing spends credits, which the other jobs' role may not. */
export const keepSubscriptionsJob = (tradeDb: Db) =>
  defineJob(queues.keepSubscriptions, async () => {
    // Renewals come first: they may spend what would expire.
    const kept = await keepSubscriptions(tradeDb)
    return { ...kept, expiring: await announceExpiring(tradeDb) }
  })
