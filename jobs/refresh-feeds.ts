/** refresh-feeds counts the feed windows again that a run or a grant touched. Repeated, it ends in the same counts. */
import { refreshWindows } from '../src/ingest/after/windows.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const refreshFeedsJob = defineJob(queues.refreshFeeds, async (request, { db, log }) => {
  const refreshed = await refreshWindows(db, request)
  log.info({ ...request, ...refreshed }, 'feed windows refreshed')
  return refreshed
})
