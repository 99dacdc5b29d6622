/**
 * keep-standing-orders starts new budgets and scheduled runs of standing orders, and sends the digests that are due.
 * Idempotent.
 */
import type { Db } from '../src/db/db.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { sendDigests } from '../src/standing/digest.ts'
import { keepStanding } from '../src/standing/due.ts'

/** @param tradeDb a digest shows the balance, which the other jobs' role may not read. */
export const keepStandingOrdersJob = (tradeDb: Db) =>
  defineJob(queues.keepStandingOrders, async (_payload, { db }) => ({
    ...(await keepStanding(db)),
    digests: await sendDigests(tradeDb),
  }))
