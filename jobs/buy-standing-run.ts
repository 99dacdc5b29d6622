/**
 * buy-standing-run buys the matches of a standing order's run. Safe to run concurrently: each record is bought once.
 */
import type { Db } from '../src/db/db.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { buyRun } from '../src/standing/buy-run.ts'
import { sendDueRuns } from '../src/standing/due.ts'

const checkEveryMs = 1_000

/** @param tradeDb buying spends credits, which the other jobs' role may not. */
export const buyStandingRunJob = (tradeDb: Db) =>
  defineJob(
    queues.buyStandingRun,
    async (run, { queue, signal, log }) => {
      const spent = await buyRun({ db: tradeDb, queue }, run, signal)
      log.info({ ...run, spent }, 'run of a standing order bought')
      return { spent }
    },
    { everyMs: checkEveryMs, check: sendDueRuns },
  )
