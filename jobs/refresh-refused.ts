/**
 * refresh-refused reads what CRMs refused from the registers anew, after these changed. It may run more than once and at the
 * same time: a record is compared with a version of the registers once, and sent again only where it changed.
 */
import { refreshRefused, refusedAreStale } from '../src/deliver/record/refused/refresh-refused.ts'
import { readRowsAgain } from '../src/leads/read-again.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const lookEveryMs = 2_000

export function refreshRefusedJob({ leadSource }: { readonly leadSource: string }): Job<typeof queues.refreshRefused> {
  return defineJob(
    queues.refreshRefused,
    async (_payload, { db, queue, log }) => {
      const counts = await refreshRefused(db, queue, (tx, itemIds) => readRowsAgain(tx, itemIds, leadSource))
      if (counts.retried > 0) log.info(counts, 'refused leads changed and go again')
      return counts
    },
    {
      everyMs: lookEveryMs,
      async look(db, queue) {
        if (await refusedAreStale(db)) await queue.send(db, queues.refreshRefused, {})
      },
    },
  )
}
