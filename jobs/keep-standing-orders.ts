/** keep-standing-orders does what time does to standing orders, and sends the digests that are due. Repeated, it does nothing more. */
import type { Db } from '../src/db/db.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { sendDigests } from '../src/standing/digest.ts'
import { keepStanding } from '../src/standing/due.ts'

/** @param tradeDb a digest tells of the balance, which the role of the other jobs may not read. */
export const keepStandingOrdersJob = (tradeDb: Db) =>
  defineJob(queues.keepStandingOrders, async (_payload, { db }) => ({
    ...(await keepStanding(db)),
    digests: await sendDigests(tradeDb),
  }))
