/** keep-subscriptions renews what its owners want renewed and marks what is over. Repeated, it does nothing more. */
import type { Db } from '../src/db/db.ts'
import { keepSubscriptions } from '../src/orders/subscriptions/keep-subscriptions.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** @param tradeDb renewing spends credits, which the role of the other jobs may not. */
export const keepSubscriptionsJob = (tradeDb: Db) =>
  defineJob(queues.keepSubscriptions, async () => keepSubscriptions(tradeDb))
