/**
 * refresh-rejected reads records that CRMs rejected from the registers again, after these changed. Safe to run
 * repeatedly and concurrently: a record is compared once per version of the registers, and sent again only if it
 * changed.
 */
import { refreshRejected, rejectedAreStale } from '../src/deliver/record/rejected/refresh-rejected.ts'
import { readRowsAgain } from '../src/leads/read-again.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

export function refreshRejectedJob({
  leadSource,
}: {
  readonly leadSource: string
}): Job<typeof queues.refreshRejected> {
  return defineJob(
    queues.refreshRejected,
    async (_payload, { db, queue, log }) => {
      const counts = await refreshRejected(db, queue, (tx, itemIds) => readRowsAgain(tx, itemIds, leadSource))
      if (counts.retried > 0) log.info(counts, 'rejected leads changed and are sent again')
      return counts
    },
    {
      everyMs: checkEveryMs,
      async check(db, queue) {
        if (await rejectedAreStale(db)) await queue.send(db, queues.refreshRejected, {})
      },
    },
  )
}
