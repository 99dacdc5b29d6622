/**
 * fetch-source requests a run of one source from a fixed path, address or watched folder; schedules enqueue it. While a
 * run of the source is open, no second one is requested: a job for another path or address waits for its end, unless it
 * needs approval. A second run of the same bytes is a no-op.
 */
import { type FetchBounds, fetchBounds } from '../config/input-bounds.ts'
import type { Secret } from '../src/domain/secret.ts'
import { AppError } from '../src/errors.ts'
import { readDropFolder } from '../src/ingest/input/drop-folder/drop-folder.ts'
import { pollFolder } from '../src/ingest/input/drop-folder/poll-folder.ts'
import { requestRun } from '../src/ingest/run/request-run.ts'
import { areOthersAtWork, findOpenRun } from '../src/ingest/run/runs.ts'
import { keepInput, shownInput } from '../src/ingest/run/source-address.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { sealingKey } from '../src/secrets/canary.ts'

/** How often a job asks whether the run of another input has ended. */
const turnMs = 30_000

export const fetchSourceJob = ({
  bounds,
  dataDir,
  secretKey,
}: {
  readonly bounds: Partial<FetchBounds>
  readonly dataDir: string
  readonly secretKey: Secret
}) =>
  defineJob(queues.fetchSource, async ({ source, sealed, mode, ...payload }, { db, queue, log, signal }) => {
    const input = shownInput(payload.input)
    const drop = await readDropFolder(input)
    if (drop) {
      const { settleMs, fileBytesMax } = { ...fetchBounds, ...bounds }
      const watched = { ...drop, ...(mode && { mode }) }
      const found = await pollFolder({ db, queue, signal, dataDir, settleMs, fileBytesMax }, source, watched)
      log[found.kind === 'waits' || found.refused ? 'warn' : 'info'](
        { source, input, ...found },
        'watched folder looked into',
      )
      return found
    }
    return db.transaction(async (tx) => {
      const open = await findOpenRun(tx, source)
      if (open !== undefined) {
        if (await areOthersAtWork(tx, { source, input, sealed })) {
          throw new AppError('RUN_IN_PROGRESS', `Run ${open} of ${source} is at work; ${input} is imported after it.`, {
            retry: { afterMs: turnMs },
          })
        }
        log.warn({ source, runId: open }, 'no new run: a run of this source is still open')
        return { skipped: true, openRunId: open }
      }
      // A job enqueued before addresses were sealed has its address in plain text.
      const kept = sealed === undefined ? keepInput(payload.input, await sealingKey(tx, secretKey)) : { input, sealed }
      return requestRun(tx, queue, { source, ...kept, ...(mode && { mode }), requestedBy: 'schedule' })
    })
  })
