/** Dirty files of a source, read and merged by the product and by the oracle, one to three into one register. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Source } from '../../../config/sources/source.ts'
import type { Db } from '../../../src/db/db.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { type DirtyFile, dirtyFile } from '../../oracle/dirty/file.ts'
import { judgedOf, rowsOf } from '../../oracle/read/rows.ts'
import { RegisterOracle } from '../../oracle/register.ts'
import { type TestDatabase, useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { figure } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'
import { recordsAsOf, registerState } from '../../support/register-state.ts'

interface Step {
  readonly of: DirtyFile
  readonly mode: 'snapshot' | 'delta'
  readonly day: number
  readonly force: boolean
}
const step = (source: Source): fc.Arbitrary<Step> =>
  fc.record({
    of: dirtyFile(source),
    mode: fc.constantFrom('snapshot', 'snapshot', 'delta'),
    day: fc.integer({ min: 10, max: 14 }),
    force: fc.boolean(),
  })

export interface DirtyFiles {
  readonly database: TestDatabase
  /** @throws where the product and the oracle part over files of the source, drawn by the seed of all properties or another. */
  agree(source: Source, seed?: number): Promise<void>
}

/** Call at the top of a describe or a file. @param planted what becomes of a database that the product is given. */
export function useDirtyFiles(planted: (db: Db) => Db = (db) => db): DirtyFiles {
  const database = useTestDatabase()
  const { ingest, file, queue, dependencies } = useIngest(database)
  let files = 0

  async function takeIn(source: Source, { of, mode, day, force }: Step, model: RegisterOracle): Promise<void> {
    const asOf = `2025-01-${day}`
    const path = file(`dirty-${++files}.${of.ending}`, of.bytes)
    const { rows, alsoSeen, rejects, rowsRead } = rowsOf(source, of.plain, (id) => model.knows(id))
    const ingested = ingest(source.name, path, { asOf, mode, force, deps: { db: planted(dependencies().db) } })
    if (rowsRead === 0) {
      // The one cell of its one column is empty, which makes an empty line.
      await expect(ingested).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
      return
    }
    const run = await ingested
    if (run.status === 'needs_approval') {
      await approveRun(database.db, queue, run.run_id, { supersede: true })
      await runSnapshot({ ...dependencies(), db: planted(dependencies().db) }, run.run_id)
    }
    const { run_id } = run
    const [ended] = await database.db.query<Record<string, unknown>>(
      `SELECT status, error, rows_read, rejected, inserted, updated, unchanged, skipped, closed FROM ingest.run WHERE run_id = $1`,
      [run_id],
    )
    const counts = model.takeIn({ run: run_id, mode, day: asOf }, rows, alsoSeen)
    const told = await database.db.query(`SELECT line, code FROM ingest.reject WHERE run_id = $1 ORDER BY line`, [
      run_id,
    ])
    expect({ ...ended, rejects: told }).toEqual({
      ...{ status: 'succeeded', error: null, rows_read: rowsRead, rejected: rejects.length, ...counts },
      rejects,
    })
  }

  const agree = (source: Source, seed?: number) =>
    fc.assert(
      fc.asyncProperty(fc.array(step(source), { minLength: 1, maxLength: 3 }), async (steps) => {
        await emptyRegisters(database.db)
        const model = new RegisterOracle(judgedOf(source), source.scope)
        for (const each of steps) {
          await takeIn(source, each, model)
          const state = await registerState(database.db, source, judgedOf(source))
          expect(state).toEqual({ records: model.records(), history: model.history(), parts: model.parts() })
        }
        const day = `2025-01-12`
        expect(await recordsAsOf(database.db, source, judgedOf(source), day)).toEqual(model.asOf(day))
      }),
      {
        numRuns: figure(8, 1_000),
        ...(seed === undefined ? {} : { seed }),
      },
    )
  return { database, agree }
}
