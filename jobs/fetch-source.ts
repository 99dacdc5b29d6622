/**
 * fetch-source requests a run of one source from a fixed address; schedules enqueue it.
 * While a run of the source is open nothing is stacked upon it; a second run of the same bytes ends as a no-op.
 */
import { requestRun } from '../src/ingest/request-run.ts'
import { findOpenRun } from '../src/ingest/runs.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const fetchSourceJob = defineJob(queues.fetchSource, async ({ source, input }, { db, queue, log }) =>
  db.transaction(async (tx) => {
    const open = await findOpenRun(tx, source)
    if (open !== undefined) {
      log.warn({ source, runId: open }, 'no new run: a run of this source is still open')
      return { skipped: true, openRunId: open }
    }
    return requestRun(tx, queue, { source, input, requestedBy: 'schedule' })
  }),
)
