/**
 * F10: the disk that holds the staging tables, and then the one that holds everything, runs full in the middle of a run.
 * Root makes a real small disk; elsewhere the server is made to raise the same error where a staging table is made.
 */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { getRun } from '../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../support/database.ts'
import { databaseAt } from '../support/database-url.ts'
import { rememberingQueue, stagingTables, useIngest } from '../support/ingest.ts'
import { expectSound, fingerprint } from './support/oracles.ts'
import { enlarge, mountSmallDisk, smallDiskRefusal, unmount } from './support/small-disk.ts'
import { companySnapshot, dayOf } from './support/snapshots.ts'

const nameOf = (databaseUrl: string) => new URL(databaseUrl).pathname.slice(1)

const elsewhere = useTestDatabase()
const files = useIngest(elsewhere)
const companies = 20_000
const first = files.file('first.csv', companySnapshot('first', companies))
const second = files.file('second.csv', companySnapshot('second', companies))

const refusal = smallDiskRefusal()
if (refusal !== undefined) console.log(`F10 without a real disk: ${refusal}`)

/** A disk of its own with a tablespace on it, and the databases to compare: one on the disk or beside it, one in peace. */
function useDisk(size: string, tablespace: string) {
  const database = useTestDatabase()
  const spared = useTestDatabase()
  const maintenance = openDb({
    connectionString: inject('clusterUrl'),
    applicationName: 'panji-test-disk',
    connectionsMax: 1,
  })
  let folder = ''
  beforeAll(async () => {
    const disk = mountSmallDisk(size)
    if ('refused' in disk) throw new Error(disk.refused)
    folder = disk.folder
    await maintenance.execute(`CREATE TABLESPACE ${tablespace} LOCATION '${folder}'`)
    // Whoever owns the tables of runs needs the right to the tablespace that a database has by default.
    await maintenance.execute(`GRANT CREATE ON TABLESPACE ${tablespace} TO panji_owner`)
  })
  afterAll(async () => {
    await database.db.execute(`ALTER DATABASE ${nameOf(database.url)} RESET default_tablespace`)
    await maintenance.execute(`DROP DATABASE IF EXISTS ${whole} WITH (FORCE)`)
    await maintenance.execute(`DROP TABLESPACE IF EXISTS ${tablespace}`)
    await maintenance.close()
    unmount(folder)
  })
  return {
    ...{ database, spared, maintenance, underFire: useIngest(database), inPeace: useIngest(spared) },
    folder: () => folder,
  }
}
const whole = 'panji_full_disk'

describe.skipIf(refusal !== undefined)('a real disk of staging tables', () => {
  const { database, spared, maintenance, underFire, inPeace, folder } = useDisk('6m', 'staging_disk')

  test('a run that fills the disk of the staging tables fails clean, gives the space back, and goes on when there is more', async () => {
    await maintenance.execute(`ALTER DATABASE ${nameOf(database.url)} SET default_tablespace = staging_disk`)
    const db = openDb({ connectionString: database.url, applicationName: 'panji-test-struck' })
    const expected = await inPeace.ingest('mca-companies', first, { asOf: dayOf(1) })
    const { runId } = await db.transaction((tx) =>
      requestRun(tx, underFire.queue, { source: 'mca-companies', input: first, asOf: dayOf(1) }),
    )
    const before = await fingerprint(db)
    const attempt = (finalAttempt: boolean) => runSnapshot({ ...underFire.dependencies(), db, finalAttempt }, runId)
    await expect(attempt(false)).rejects.toMatchObject({ code: '53100' })
    expect(await getRun(db, runId)).toMatchObject({ status: 'queued', error: { code: 'DATABASE_FULL' } })
    expect((await getRun(db, runId)).error?.message).toMatch(/disk is full.*No space left on device/)
    // Rejects of an attempt stay until the next one finds its own.
    expect(await fingerprint(db)).toEqual({ ...before, 'ingest.reject': expect.anything() })
    expect(await stagingTables(db)).toEqual([])

    enlarge(folder(), '64m')
    const { status, rows_read, inserted, rejected } = expected
    expect(await attempt(true)).toMatchObject({ status, rows_read, inserted, rejected })
    expect(await fingerprint(db)).toEqual(await fingerprint(spared.db))
    await expectSound(db)
    await db.close()
  })
})

describe.skipIf(refusal !== undefined)('a real disk of registers', () => {
  const { spared, maintenance, underFire, inPeace, folder } = useDisk('256m', 'register_disk')

  test('a merge that fills the disk of the registers leaves them as they were, and ends when there is space', async () => {
    await maintenance.execute(`CREATE DATABASE ${whole} TEMPLATE panji TABLESPACE register_disk`)
    const url = databaseAt(inject('clusterUrl'), whole)
    const db = openDb({ connectionString: url, applicationName: 'panji-test-struck' })
    const queue = rememberingQueue()
    const take = async (input: string, day: number, reached: (point: string) => Promise<void>) => {
      const { runId } = await db.transaction((tx) =>
        requestRun(tx, queue, { source: 'mca-companies', input, asOf: dayOf(day) }),
      )
      const deps = { ...underFire.dependencies(), db, queue }
      return { runId, outcome: runSnapshot({ ...deps, finalAttempt: false, reached }, runId), deps }
    }
    await (await take(first, 1, async () => {})).outcome
    await inPeace.ingest('mca-companies', first, { asOf: dayOf(1) })
    const before = await fingerprint(db)
    expect(before).toEqual(await fingerprint(spared.db))

    // What is left is enough to stage and check, not to merge.
    const ballast = async (point: string) => {
      if (point !== 'checked') return
      const used = execFileSync('df', ['--output=used', '-k', folder()]).toString().split('\n')[1]
      enlarge(folder(), `${Number(used) + 512}k`)
    }
    const { runId, outcome, deps } = await take(second, 2, ballast)
    await expect(outcome).rejects.toMatchObject({ code: '53100' })
    enlarge(folder(), '256m')
    expect(await fingerprint(db)).toEqual({ ...before, 'ingest.reject': expect.anything() })
    expect(await getRun(db, runId)).toMatchObject({ inserted: 0, updated: 0, closed: 0 })

    const expected = await inPeace.ingest('mca-companies', second, { asOf: dayOf(2) })
    const { status, inserted, updated, closed } = expected
    expect(await runSnapshot(deps, runId)).toMatchObject({ status, inserted, updated, closed })
    expect(await fingerprint(db)).toEqual(await fingerprint(spared.db))
    await expectSound(db)
    await db.close()
  })
})

describe('the same error, raised by the server', () => {
  const database = useTestDatabase()
  const underFire = useIngest(database)

  test('a full disk at any table of the staging fails the run clean, and the next attempt succeeds', async () => {
    for (const table of ['stage', 'lines', 'checked']) {
      await database.db.execute(
        `CREATE FUNCTION public.disk_is_full() RETURNS event_trigger LANGUAGE plpgsql AS $$
         BEGIN
           IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE 'ingest.${table}\\_%') THEN
             RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
           END IF;
         END $$`,
      )
      await database.db.execute(
        'CREATE EVENT TRIGGER disk_is_full ON ddl_command_end EXECUTE FUNCTION public.disk_is_full()',
      )
      const { runId } = await database.db.transaction((tx) =>
        requestRun(tx, underFire.queue, { source: 'mca-companies', input: first, asOf: dayOf(1), force: true }),
      )
      const attempt = () => runSnapshot({ ...underFire.dependencies(), finalAttempt: false }, runId)
      await expect(attempt()).rejects.toMatchObject({ code: '53100' })
      expect(await getRun(database.db, runId)).toMatchObject({ status: 'queued', error: { code: 'DATABASE_FULL' } })
      expect(await stagingTables(database.db)).toEqual([])
      await database.db.execute('DROP EVENT TRIGGER disk_is_full')
      await database.db.execute('DROP FUNCTION public.disk_is_full()')
      expect(await attempt()).toMatchObject({ status: 'succeeded' })
      await expectSound(database.db)
    }
  })
})
