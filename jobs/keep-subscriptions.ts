/** keep-subscriptions renews subscriptions set to renew, and ends those that are over. Idempotent. */
import type { Db } from '../src/db/db.ts'
import { keepSubscriptions } from '../src/orders/subscriptions/keep-subscriptions.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** @param tradeDb renewing spends credits, which the other jobs' role may not. */
export const keepSubscriptionsJob = (tradeDb: Db) =>
  defineJob(queues.keepSubscriptions, async () => keepSubscriptions(tradeDb))
