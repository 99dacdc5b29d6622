/** Two databases that take in the same snapshots: one struck by faults, one spared. In the end they are equal. */
import { expect } from 'vitest'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { type TestDatabase, useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { expectSound, fingerprint } from './oracles.ts'
import { companySnapshot, dayOf } from './snapshots.ts'

export interface Twins {
  readonly struck: TestDatabase
  readonly folder: string
  /** Takes the next snapshot in on the spared side, and asks for it on the struck one. */
  nextRun(): Promise<{ readonly runId: number; readonly expected: RunRecord }>
  /** Runs what the faults left of the run to its end, and compares. */
  expectSameEnd(runId: number, expected: RunRecord): Promise<void>
  expectSameTables(): Promise<void>
}

/** Call at the top of a file. */
export function useTwins(companies?: number): Twins {
  const struck = useTestDatabase()
  const spared = useTestDatabase()
  const underFire = useIngest(struck)
  const inPeace = useIngest(spared)
  let taken = 0

  async function expectSameTables(): Promise<void> {
    expect(await fingerprint(struck.db)).toEqual(await fingerprint(spared.db))
    await expectSound(struck.db)
  }
  return {
    struck,
    folder: underFire.folder,
    async nextRun() {
      taken += 1
      const which = taken % 2 === 1 ? 'first' : 'second'
      const request = { source: 'mca-companies', asOf: dayOf(taken), force: true }
      const content = companySnapshot(which, companies)
      const expected = await inPeace.ingest(request.source, inPeace.file(`${which}.csv`, content), request)
      const input = underFire.file(`${which}.csv`, content)
      const { runId } = await struck.db.transaction((tx) => requestRun(tx, underFire.queue, { ...request, input }))
      return { runId, expected }
    },
    async expectSameEnd(runId, expected) {
      const run = await runSnapshot(underFire.dependencies(), runId)
      const { status, rows_read, inserted, updated, unchanged, closed, rejected } = expected
      expect(run).toMatchObject({ status, rows_read, inserted, updated, unchanged, closed, rejected })
      await expectSameTables()
    },
    expectSameTables,
  }
}
