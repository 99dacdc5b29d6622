/** The backup of each night: a file that was restored once, the oldest ones gone, and doctor says when a night was missed. */
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { schedules } from '../../../config/schedules.ts'
import { writeBackupJob } from '../../../jobs/write-backup.ts'
import { createMetrics } from '../../../src/api/metrics/metrics.ts'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { backupsAreFresh } from '../../../src/cli/commands/doctor-backups.ts'
import { requireOwner, scheduledBackup } from '../../../src/cli/instance/scheduled-backup.ts'
import { deadLetterQueue } from '../../../src/queue/queues.ts'
import { syncSchedules } from '../../../src/queue/schedule/schedules.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-nightly-'))
const dir = join(folder, 'backups')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const instance = () => ({ db: database.db, databaseUrl: database.url })
const settings = (kept = 2, name: string | undefined = dir) => ({
  ...{ dataDir: folder, databaseUrl: undefined },
  backups: { dir: name, kept },
})
const nightly = (kept?: number) => scheduledBackup(instance(), settings(kept))?.() ?? expect.unreachable()
const doctor = (name: string | undefined = dir) => backupsAreFresh(instance(), settings(2, name))
const without = () => backupsAreFresh(instance(), { backups: { dir: undefined, kept: 2 } })

test('each night writes a file of its own whose restore was tried; the newest stay, and nothing of anybody else goes', async () => {
  await syncSchedules(database.db, schedules)
  expect(await without()).toMatchObject({ ok: true, detail: expect.stringContaining('none has been written yet') })
  expect(await doctor()).toEqual({ ok: true, detail: 'none has been written yet' })

  const first = await nightly()
  expect(first).toMatchObject({ verified: true, restore_verified: true, removed: [] })
  expect(statSync(dir).mode & 0o777).toBe(0o700)
  expect(await checkBackup(first.file)).toMatchObject({ taken_at: first.taken_at })
  const others = ['panji-2026-11-21.tar.gz', 'notes.txt', 'panji-2026-01-01T00-00-00-000Z.tar.gz.part', 'other.part']
  // Another backup may be writing it.
  const draft = 'panji-2026-01-02T00-00-00-000Z.tar.gz.0a1b2c3d.part'
  for (const name of [...others, draft, 'panji-2026-01-01T00-00-00-000Z.tar.gz']) writeFileSync(join(dir, name), '')
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const name of others) utimesSync(join(dir, name), old, old)
  const second = await nightly()
  expect(second.removed.toSorted()).toEqual([
    'panji-2026-01-01T00-00-00-000Z.tar.gz',
    'panji-2026-01-01T00-00-00-000Z.tar.gz.part',
  ])
  const names = [first.file, second.file].map((file) => file.slice(dir.length + 1))
  expect(readdirSync(dir).toSorted()).toEqual(
    [...names, draft, 'notes.txt', 'other.part', 'panji-2026-11-21.tar.gz'].toSorted(),
  )
  expect(await doctor()).toEqual({
    ok: true,
    detail: expect.stringMatching(/^the newest is panji-.*its restore succeeded$/),
  })
  const told = await database.db.query(
    `SELECT actor, detail ->> 'file' AS file FROM access.audit WHERE action = 'finish backup' ORDER BY audit_id`,
  )
  expect(told).toEqual(names.map((file) => ({ actor: 'system', file })))
})

test('the backup just written stays, also beside one whose name says a later day, as a clock that was ahead gave it', async () => {
  const ahead = 'panji-2999-01-01T00-00-00-000Z.tar.gz'
  writeFileSync(join(dir, ahead), '')
  const { file, removed } = await nightly(1)
  expect(removed).toContain(ahead)
  expect(readdirSync(dir).filter((name) => /T.*Z[.]tar[.]gz$/.test(name))).toEqual([file.slice(dir.length + 1)])
})

test('a missed night is a failed check if a folder is configured, with what to do', async () => {
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(`UPDATE access.audit SET at = at - interval '2 days' WHERE action = 'finish backup'`)
  })
  expect(await doctor()).toEqual({ ok: false, detail: expect.stringContaining('`panji backup` writes one now') })
  expect(await without()).toMatchObject({ ok: true })
})

test('a backup of the schedule that failed is a fault with its reason, until one is written', async () => {
  const failed = (at: string, message: string, source = 'write-backup') =>
    database.db.execute(
      `INSERT INTO pgboss.job (name, data, source_name, source_output, created_on)
       VALUES ($1, '{}', $2, jsonb_build_object('code', 'INTERNAL', 'message', $3::text), now() + $4::interval)`,
      [deadLetterQueue, source, message, at],
    )
  await nightly()
  const good = await doctor()
  await failed('-1 hour', 'an older reason')
  await failed('1 minute', 'of another job', 'sweep-expired')
  expect(await doctor()).toEqual(good)
  await failed('1 minute', "EROFS: read-only file system, mkdir '/backups'")
  for (const told of [await doctor(), await without()]) {
    expect(told).toEqual({
      ok: false,
      detail: expect.stringMatching(
        /^the newest is panji-.*; the backup of .* failed: EROFS: .*; once that is fixed, `panji jobs redrive \S+`/,
      ),
    })
  }
  await database.db.execute(`UPDATE pgboss.job SET created_on = now() - interval '1 minute' WHERE name = $1`, [
    deadLetterQueue,
  ])
  await nightly()
  expect(await doctor()).toMatchObject({ ok: true })
})

test('without a folder the job does nothing, and a login that may not read everything is told what to do, at its start already', async () => {
  const context = {} as Parameters<ReturnType<typeof writeBackupJob>['handle']>[1]
  const { dir: _, ...rest } = settings().backups
  const none = scheduledBackup(instance(), { ...settings(), backups: { ...rest, dir: undefined } })
  expect(await writeBackupJob({ writeBackup: none }).handle({}, context)).toEqual({ file: null })
  const files = readdirSync(dir)
  const asWorker = scheduledBackup(
    { db: database.as('panji_worker'), databaseUrl: database.urlAs('panji_worker') },
    settings(),
  )
  await expect(writeBackupJob({ writeBackup: asWorker }).handle({}, context)).rejects.toMatchObject({
    code: 'BACKUP_REFUSED',
    message: expect.stringContaining('as the owner from a timer'),
  })
  await expect(requireOwner(database.as('panji_worker'))).rejects.toMatchObject({ code: 'BACKUP_REFUSED' })
  await requireOwner(database.db)
  expect(readdirSync(dir)).toEqual(files)
})

test('every process reports the age of the newest backup, and of the newest whose restore was tested', async () => {
  const metrics = () =>
    createMetrics(database.as('panji_api'), { build: { version: '1', build: 'a', role: 'api' } }).render()
  const ageOf = async (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(await metrics())?.[1])
  await database.db.transaction(async (tx) => {
    await tx.execute(
      `SET LOCAL session_replication_role = 'replica'; DELETE FROM access.audit WHERE action = 'finish backup'`,
    )
  })
  expect([await ageOf('panji_backup_age_seconds'), await ageOf('panji_backup_restored_age_seconds')]).toEqual([
    NaN,
    NaN,
  ])
  for (const [hours, restored] of [
    [50, true],
    [2, false],
  ] as const)
    await database.db.execute(
      `INSERT INTO access.audit (at, actor, action, subject, detail)
       VALUES (now() - make_interval(hours => $1), 'system', 'finish backup', 'instance', jsonb_build_object('restore_verified', $2::boolean))`,
      [hours, restored],
    )
  expect(Math.round((await ageOf('panji_backup_age_seconds')) / 3600)).toBe(2)
  expect(Math.round((await ageOf('panji_backup_restored_age_seconds')) / 3600)).toBe(50)
})
