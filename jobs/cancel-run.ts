/**
 * cancel-run stops a run that an operator cancelled over HTTP while one of its steps had the row locked. Idempotent.
 */
import { finishCancelling } from '../src/ingest/conduct/cancel.ts'
import { fileAway } from '../src/ingest/input/drop-folder/file-away.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const cancelRunJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.cancelRun, async ({ runId, by }, { db, log }) => {
    const { status } = await finishCancelling(db, runId, by)
    await fileAway(db, dataDir, runId)
    log.info({ runId, status }, 'run cancellation finished')
    return { runId, status }
  })
