/**
 * refresh-delivered reads delivered records again after an import changed them, for destinations that are kept fresh,
 * and notifies their accounts once a day. Safe to run repeatedly and concurrently: a record is compared once per mark,
 * and a day is reported once.
 */

import { noticeOfFreshIsDue, notifyOfRefreshes } from '../src/deliver/fresh/notify-of-refreshes.ts'
import { deliveredAreStale, refreshDelivered } from '../src/deliver/fresh/refresh-delivered.ts'
import { readRowsAgain } from '../src/leads/read-again.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

export function refreshDeliveredJob({
  leadSource,
}: {
  readonly leadSource: string
}): Job<typeof queues.refreshDelivered> {
  return defineJob(
    queues.refreshDelivered,
    async (_payload, { db, queue, log }) => {
      const counts = await refreshDelivered(db, queue, (tx, itemIds) =>
        readRowsAgain(tx, itemIds, leadSource, { unreachable: true }),
      )
      if (counts.due > 0) log.info(counts, 'delivered records changed and are sent')
      return { ...counts, notified: await notifyOfRefreshes(db) }
    },
    {
      everyMs: checkEveryMs,
      async check(db, queue) {
        if ((await deliveredAreStale(db)) || (await noticeOfFreshIsDue(db)))
          await queue.send(db, queues.refreshDelivered, {})
      },
    },
  )
}
