/** F5: the database crashes and is back before the run asks it again; what its steps had staged is empty then. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { getRun } from '../../src/ingest/run/runs.ts'
import { suppressionSettings } from '../support/database.ts'
import { useIngest } from '../support/ingest.ts'
import { useOwnDatabase } from './support/own-database.ts'
import { companySnapshot, dayOf } from './support/snapshots.ts'

const database = useOwnDatabase()
beforeAll(() => migrate(database.db))
const worker = (): Db =>
  openDb({ connectionString: database.url, applicationName: 'panji-worker', settings: suppressionSettings })
const opened: Db[] = []
afterAll(() => Promise.all(opened.map((db) => db.close())))
const ingest = useIngest({
  get db() {
    return database.db
  },
  as() {
    const db = worker()
    opened.push(db)
    return db
  },
})

let day = 0
const strikes = (['delta', 'snapshot'] as const).flatMap((mode) =>
  (['staged', 'matched', 'checked'] as const).map((point) => ({ mode, point })),
)

test.each(strikes)(
  'a run by $mode whose database crashes and comes back once it has "$point" begins anew, and loses no row',
  async ({ mode, point }) => {
    day += 1
    const input = join(ingest.folder, `${mode}-${point}.csv`)
    // Another half of the register each day, so that rows come, change and stay.
    writeFileSync(input, companySnapshot(day % 2 === 1 ? 'first' : 'second', 500 + day))
    const request = { source: 'mca-companies', input, asOf: dayOf(day), mode }
    const { runId } = await database.db.transaction((tx) => requestRun(tx, ingest.queue, request))
    const deps = { ...ingest.dependencies(), finalAttempt: false }
    let struck = false
    const reached = async (at: string): Promise<void> => {
      if (at !== point || struck) return
      struck = true
      await database.crash()
      await database.restart()
    }
    await expect(runSnapshot({ ...deps, reached }, runId)).rejects.toThrow()
    expect(await getRun(database.db, runId)).toMatchObject({ status: 'queued' })
    const run = await runSnapshot(deps, runId)
    expect(run).toMatchObject({ status: 'succeeded', attempt: 2 })
    const [register] = await database.db.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM registry.company WHERE last_run_id = $1',
      [runId],
    )
    expect(run.inserted + run.updated + run.closed).toBe(register?.rows)
    expect(run.inserted + run.updated + run.closed).toBeGreaterThan(0)
  },
)
