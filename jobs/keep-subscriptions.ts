/** keep-subscriptions renews what its owners want renewed and marks what is over. Repeated, it does nothing more. */
import type { Db } from '../src/db/db.ts'
import { keepSubscriptions } from '../src/orders/subscriptions/keep-subscriptions.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** Renewing spends credits, which the jobs' own role may not: one of the requests' role. */
export interface TradeJobOptions {
  readonly tradeDb?: Db | undefined
}

export const keepSubscriptionsJob = ({ tradeDb }: TradeJobOptions) =>
  defineJob(queues.keepSubscriptions, async () => (tradeDb ? keepSubscriptions(tradeDb) : undefined))
