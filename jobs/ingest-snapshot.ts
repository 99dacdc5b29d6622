/**
 * ingest-snapshot takes one run through all its steps. Idempotent: a finished run is left unchanged. A file of a
 * watched folder is then moved away, and the next one requested.
 */
import type { FetchBounds } from '../config/input-bounds.ts'
import type { Secret } from '../src/domain/secret.ts'
import { skippedEverything } from '../src/ingest/conduct/nothing-changed.ts'
import { runSnapshot } from '../src/ingest/conduct/run-snapshot.ts'
import { fileAway } from '../src/ingest/input/drop-folder/file-away.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export interface IngestOptions {
  readonly dataDir: string
  readonly allowPrivateSources: boolean
  readonly bounds: Partial<FetchBounds>
  readonly secretKey: Secret
}

export const ingestSnapshotJob = (options: IngestOptions) =>
  defineJob(queues.ingestSnapshot, async ({ runId }, { db, queue, log, signal, attempt }) => {
    const finalAttempt = attempt >= queues.ingestSnapshot.retryLimit
    try {
      const run = await runSnapshot({ ...options, db, queue, log, signal, finalAttempt }, runId)
      const { status, rows_read, inserted, updated, skipped, closed, rejected } = run
      const figures = { rows_read, inserted, updated, skipped, closed, rejected }
      const nothing = status === 'succeeded' && skippedEverything(run)
      log[nothing ? 'warn' : 'info'](
        { runId, source: run.source, status, ...figures, ...(nothing && { nothing: run.report['reason'] }) },
        'run ended',
      )
      return { runId, status, ...figures }
    } finally {
      const watched = await fileAway(db, options.dataDir, runId)
      if (watched) await queue.send(db, queues.fetchSource, watched)
    }
  })
