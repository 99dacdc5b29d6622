/** A backup takes along what open runs still read, and a restore leads the runs there, wherever the data directory lies by then. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { backUp } from '../../../src/cli/instance/back-up.ts'
import { restoreExternal } from '../../../src/cli/instance/restore/restore-external.ts'
import { openDb } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { openSpool } from '../../../src/ingest/input/drop-folder/spool.ts'
import { keepUpload, takeUpload } from '../../../src/ingest/input/uploads.ts'
import type { RunRequest } from '../../../src/ingest/run/request-run.ts'
import { companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { folder, file, ingest, queue, dependencies } = useIngest(database)
const kept = mkdtempSync(join(tmpdir(), 'panji-kept-'))
afterAll(() => rmSync(kept, { recursive: true, force: true }))
beforeEach(async () => {
  await emptyRegisters(database.db)
  rmSync(join(folder, 'spool'), { recursive: true, force: true })
})

const settings = (dataDir: string) => ({ dataDir, databaseUrl: new Secret(database.url) })
const backup = async (name: string, onRows = () => {}) => {
  const path = join(kept, name)
  const request = { path, overwrite: false, verifyRestore: false, actor: 'operator', onRows } as const
  return { path, written: await backUp({ db: database.db, databaseUrl: database.url }, settings(folder), request) }
}

const sendUpload = async (text: string) => {
  const { uploadId } = await keepUpload(folder, {
    filename: 'goa.csv',
    body: Readable.from([Buffer.from(text)]),
    bytesMax: 1e6,
  })
  return takeUpload(folder, uploadId)
}
const dropFile = async (text: string) => {
  const { taken } = await openSpool(folder, 'mca-companies')
  mkdirSync(join(taken, 'a1'), { mode: 0o700 })
  writeFileSync(join(taken, 'a1', 'goa.csv'), text)
  return join(taken, 'a1', 'goa.csv')
}
const half = snapshotText(companies(1, 20))
const whole = snapshotText(companies(1, 60))
const waysIn: [string, (text: string) => Promise<string>, Partial<RunRequest>][] = [
  ['sent over HTTP', sendUpload, { overHttp: true }],
  ['dropped into a watched folder', dropFile, { requestedBy: 'schedule', dropFolder: '/srv/drop' }],
]

test.each(waysIn)(
  'a run of a file that was %s waits in the restored instance, and is approved there',
  async (way, put, asked) => {
    await ingest('mca-companies', file('whole.csv', whole), { asOf: '2025-01-01' })
    const waiting = await ingest('mca-companies', await put(half), { asOf: '2025-02-01', ...asked })
    expect(waiting).toMatchObject({ status: 'needs_approval' })

    const { path, written } = await backup(`${way.slice(0, 4)}.tar.gz`)
    expect(written).toMatchObject({ files: 1 })
    rmSync(dirname(waiting.input), { recursive: true })

    const name = `${new URL(database.url).pathname.slice(1)}_${way.slice(0, 4)}`
    await database.db.execute(`CREATE DATABASE ${name}`)
    const url = databaseAt(database.url, name)
    const dataDir = join(kept, `elsewhere-${way.slice(0, 4)}`)
    await restoreExternal(url, settings(dataDir), { path, manifest: await checkBackup(path), onRows: () => {} })
    const restored = openDb({ connectionString: url, applicationName: 'panji-test' })
    try {
      await approveRun(restored, queue, waiting.run_id)
      const run = await runSnapshot({ ...dependencies(), db: restored, dataDir }, waiting.run_id)
      expect(run).toMatchObject({ status: 'succeeded', rows_read: 20, closed: 40 })
      expect(run.input.startsWith(`${dataDir}/spool/`)).toBe(true)
    } finally {
      await restored.close()
      await database.db.execute(`DROP DATABASE ${name}`)
    }
  },
)

test('a file that is filed away while the tables are copied is in the backup all the same', async () => {
  await ingest('mca-companies', file('whole.csv', whole), { asOf: '2025-01-01' })
  const input = await dropFile(half)
  const away = join(kept, 'filed-away.csv')
  const { written } = await backup('filed-away.tar.gz', () => {
    if (existsSync(input)) renameSync(input, away)
  })
  expect(existsSync(away)).toBe(true)
  expect(written).toMatchObject({ files: 1 })
})

test('what a run that is over has read stays out of a backup', async () => {
  await ingest('mca-companies', await sendUpload(whole), { asOf: '2025-01-01', overHttp: true })
  const { written } = await backup('over.tar.gz')
  expect(written).toMatchObject({ files: 0 })
})
