/** end-lost-runs ends runs that no worker will finish: their job used up its attempts on workers that died. */
import { endLostRuns } from '../src/ingest/conduct/lost-runs.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const endLostRunsJob = defineJob(queues.endLostRuns, async (_payload, { db, log }) => {
  const runIds = await endLostRuns(db)
  if (runIds.length > 0) log.error({ runIds }, 'runs were ended: their workers died repeatedly')
  return { runIds }
})
