/** Asks for runs the way operators do, so that a worker process takes them, and waits for their end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import type { Db } from '../../../src/db/db.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { type RunRecord, readRun } from '../../../src/ingest/run/runs.ts'
import { isFinished } from '../../../src/ingest/run/transitions.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { expectSound, fingerprint } from './oracles.ts'
import { companySnapshot, dayOf } from './snapshots.ts'

export interface QueuedRuns {
  /** Takes the next snapshot in on an undisturbed database, and enqueues it for the worker under fire. */
  enqueue(): Promise<{ readonly runId: number; readonly expected: RunRecord }>
  /** Waits until the run has ended as the undisturbed one did, and compares all tables. */
  expectSameEnd(run: { readonly runId: number; readonly expected: RunRecord }, withinMs: number): Promise<void>
}

/** Call at the top of a file. `target` is the database under fire. */
export function useQueuedRuns(target: { readonly db: Db; readonly url: string }, companies = 4000): QueuedRuns {
  const spared = useTestDatabase()
  const inPeace = useIngest(spared)
  const folder = mkdtempSync(join(tmpdir(), 'panji-queued-'))
  let taken = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  return {
    async enqueue() {
      taken += 1
      const which = taken % 2 === 1 ? 'first' : 'second'
      const input = join(folder, `${which}.csv`)
      writeFileSync(input, companySnapshot(which, companies))
      const request = { source: 'mca-companies', asOf: dayOf(taken), force: true }
      const expected = await inPeace.ingest(request.source, input, request)
      const queue: QueueHandle = await startQueue({ connectionString: target.url, supervise: false, onError: () => {} })
      try {
        const { runId } = await target.db.transaction((tx) => requestRun(tx, queue, { ...request, input }))
        return { runId, expected }
      } finally {
        await queue.stop()
      }
    },
    async expectSameEnd({ runId, expected }, withinMs) {
      const run = await vi.waitFor(
        async () => {
          const found = await readRun(target.db, runId)
          if (found && isFinished(found.status)) return found
          throw new Error(`run ${runId} has not ended: ${JSON.stringify([found, await jobsOf(target.db, runId)])}`)
        },
        { timeout: withinMs, interval: 100 },
      )
      const { status, rows_read, inserted, updated, unchanged, closed, rejected } = expected
      expect(run).toMatchObject({ status, rows_read, inserted, updated, unchanged, closed, rejected })
      expect(await fingerprint(target.db)).toEqual(await fingerprint(spared.db))
      await expectSound(target.db)
    },
  }
}

/** What the queue knows of a run; for whoever reads why it did not end. */
const jobsOf = (db: Db, runId: number): Promise<object[]> =>
  db.query(
    `SELECT state, retry_count, retry_limit, start_after, started_on, heartbeat_on, completed_on, output, now() AS now
     FROM pgboss.job WHERE data ->> 'runId' = $1`,
    [String(runId)],
  )

/** Waits until an attempt of the run is at work. */
export async function untilAtWork(
  db: Db,
  runId: number,
  statuses: readonly string[] = ['staging', 'checking', 'merging'],
): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(statuses).toContain((await readRun(db, runId))?.status)
    },
    { timeout: 60_000, interval: 2 },
  )
}
