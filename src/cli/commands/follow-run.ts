/** Polls a run until it rests, and shows its progress; the run itself continues if the command is stopped. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../../db/db.ts'
import { Stopped, stopIn } from '../../domain/stopped.ts'
import { getRun, type RunRecord } from '../../ingest/run/runs.ts'
import { isAtRest } from '../../ingest/run/transitions.ts'
import type { Progress } from '../progress.ts'
import type { CommandContext } from '../settings.ts'
import { whyRunWaits } from './why-run-waits.ts'

/** Waits until the run has ended or needs an operator, showing its progress. */
export async function followRun(context: CommandContext, db: Queryable, runId: number): Promise<RunRecord> {
  const progress = context.out.progress('bytes')
  let noted: string | undefined
  try {
    for (;;) {
      const record = await getRun(db, runId)
      showProgress(progress, record)
      const why = await whyRunWaits(db, record)
      if (why !== undefined && why !== noted) context.out.note(why)
      noted = why ?? noted
      if (isAtRest(record.status)) return record
      await delay(200, undefined, { signal: context.signal })
    }
  } catch (error) {
    const stop = stopIn(error)
    throw stop ? new Stopped(`${stop.message} ${whatComesOf(runId)}`) : error
  } finally {
    progress.end()
  }
}

const whatComesOf = (runId: number) =>
  `Run ${runId} continues in the running Panji, or in the next one that works; \`npx panji cancel ${runId}\` cancels it.`

/**
 * Staging is measured in bytes; check and merge are a few statements, so their time is shown next to the previous
 * run's.
 */
function showProgress(progress: Progress, { status, progress: at }: RunRecord): void {
  if (at.since !== undefined && (status === 'checking' || status === 'merging')) {
    const seconds = (Date.now() - Date.parse(at.since)) / 1000
    progress.update(status, seconds, at.expected_seconds ?? 0, 's')
    return
  }
  if (isAtRest(status)) {
    progress.update(status, 1, 1, '')
    return
  }
  const isStaging = status === 'staging'
  progress.update(status, isStaging ? (at.bytes_read ?? 0) : 0, isStaging ? (at.bytes_total ?? 0) : 0)
}
