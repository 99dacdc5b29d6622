/** A backup is restored on another day, and in another kind of place: the instance is the same, and its work goes on. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { databaseAt } from '../support/database-url.ts'
import { oneOf } from '../support/figures.ts'
import { runPanjiIn } from '../support/panji-cli.ts'
import { type PanjiProgram, panjiProgram } from '../support/panji-program.ts'
import { canShiftClocks, shiftedClock } from '../support/shifted-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-elsewhere-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o755 })
  return path
}
const file = (name: string, count: number): string => {
  const path = join(folder, name)
  writeFileSync(path, snapshotText(companies(1, count)))
  return path
}

const backup = join(folder, 'panji.tar.gz')
const october = file('october.csv', 20)
const november = file('november.csv', 21)
let secretKey: string

beforeAll(async () => {
  const dataDir = newFolder('first')
  const panji = panjiProgram({ PANJI_DATA_DIR: dataDir })
  expect(await panji.json('migrate')).toMatchObject({ code: 0 })
  const created = await panji.json('account', 'create', '--email', 'a@example.com', '--credits', '5')
  expect(created).toMatchObject({ code: 0 })
  const contacts = join(folder, 'contacts.csv')
  writeFileSync(
    contacts,
    'entity,identifier,email,website\ncompany,U74999GA2019PTC000001,asha@example.in,asha.example\n',
  )
  expect(await panji.json('ingest', 'contacts', contacts, '--as-of', '2025-10-01')).toMatchObject({ code: 0 })
  expect(await panji.json('suppress', 'add', '--email', 'asha@example.in')).toMatchObject({ code: 0 })
  // It waits for a worker, which will be one of the restored instance.
  const queued = await panji.json('ingest', 'mca-companies', october, '--as-of', '2025-10-01', '--no-wait')
  expect(queued).toMatchObject({ code: 0 })
  expect(await panji.json('backup', backup)).toMatchObject({ code: 0, answer: { verified: true } })
  secretKey = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()
}, 120_000)

async function contactsOf(url: string): Promise<unknown> {
  const db = openDb({ connectionString: url, applicationName: 'panji-test', connectionsMax: 1 })
  try {
    return await db.query('SELECT email, emails, website FROM registry.contact')
  } finally {
    await db.close()
  }
}

type Ask = PanjiProgram['json']

/** What was queued is done, what comes is ingested, and what was there is there. */
async function expectToGoOn(ask: Ask): Promise<void> {
  expect(await ask('ingest', 'mca-companies', november, '--as-of', '2025-11-01')).toMatchObject({
    code: 0,
    answer: { status: 'succeeded', inserted: 1, unchanged: 20 },
  })
  expect((await ask('runs')).answer).toMatchObject([
    { as_of: '2025-11-01', status: 'succeeded' },
    { as_of: '2025-10-01', status: 'succeeded', inserted: 20 },
    { source: 'contacts', status: 'succeeded', inserted: 1 },
  ])
  expect(await ask('account', 'show', 'a@example.com')).toMatchObject({ answer: { credits: [{ balance: 5 }] } })
  expect(await ask('doctor')).toMatchObject({ code: 0, answer: { ok: true } })
}

/** Of days that come, the farthest; in the long run also those between. */
const shifts = oneOf(['+365d', '+40d', '+1d'], 0)

test.skipIf(!canShiftClocks).each(shifts)(
  '%s on the clock, the restored instance takes up what waited',
  { timeout: 240_000 },
  async (shift) => {
    const clock = shiftedClock(shift)
    const dataDir = newFolder(`later${shift}`)
    const ask: Ask = async (...parameters) => {
      const { code, stdout, stderr } = await runPanjiIn(dataDir, [...parameters, '--json'], clock).ended
      return { code: code ?? -1, answer: JSON.parse(stdout), stderr }
    }
    expect(await ask('restore', backup)).toMatchObject({ code: 0, answer: { verified: true } })
    await expectToGoOn(ask)
    const again = await ask('backup', join(folder, `again${shift}.tar.gz`), '--verify-restore')
    expect(again).toMatchObject({ code: 0, answer: { restore_verified: true } })
    // The clock was another, or nothing here was tested.
    const { taken_at: taken } = again.answer as { taken_at: string }
    expect(Math.round((Date.parse(taken) - Date.now()) / 86_400_000)).toBe(Number(shift.slice(1, -1)))
  },
)

test('an embedded instance becomes one on a server, and that an embedded one again', { timeout: 240_000 }, async () => {
  const cluster = openDb({ connectionString: inject('clusterUrl'), applicationName: 'panji-test', connectionsMax: 1 })
  await cluster.execute('DROP DATABASE IF EXISTS restored_elsewhere WITH (FORCE)')
  await cluster.execute('CREATE DATABASE restored_elsewhere')
  try {
    const url = databaseAt(inject('clusterUrl'), 'restored_elsewhere')
    const server = panjiProgram({ PANJI_DATA_DIR: newFolder('server'), DATABASE_URL: url, PANJI_SECRET_KEY: secretKey })
    expect(await server.json('restore', backup)).toMatchObject({ code: 0, answer: { into: 'DATABASE_URL' } })
    // Nobody ran since the objection; the restore itself has erased what it was about.
    expect(await contactsOf(url)).toEqual([{ email: null, emails: null, website: 'asha.example' }])
    const returned = join(folder, 'returned.tar.gz')
    expect(await server.json('backup', returned, '--verify-restore')).toMatchObject({
      code: 0,
      answer: { restore_verified: true },
    })
    await expectToGoOn(server.json)

    const embedded = panjiProgram({ PANJI_DATA_DIR: newFolder('embedded'), PANJI_SECRET_KEY: secretKey })
    expect(await embedded.json('restore', returned)).toMatchObject({ code: 0, answer: { verified: true } })
    await expectToGoOn(embedded.json)
  } finally {
    await cluster.execute('DROP DATABASE restored_elsewhere WITH (FORCE)')
    await cluster.close()
  }
})

test('under another secret key everything is restored, and it says what cannot be read and where the right key lies', async () => {
  const dataDir = newFolder('another-key')
  const under = (key: string) => panjiProgram({ PANJI_DATA_DIR: dataDir, PANJI_SECRET_KEY: key })
  const restored = await under('another key than that of the backup').json('restore', backup)
  expect(restored).toMatchObject({
    code: 1,
    answer: {
      ...{ verified: true, unreadable: { 'runtime.suppression_key': 1 } },
      error: {
        code: 'SECRET_KEY_WRONG',
        message: expect.stringMatching(/runtime\.suppression_key 1.*another-key\/secret-key: unset PANJI_SECRET_KEY/),
      },
    },
  })
  expect(await under('').json('doctor')).toMatchObject({ code: 0, answer: { ok: true } })

  // Where the environment gave the key, no file of it came along.
  const returned = join(folder, 'without-key.tar.gz')
  rmSync(join(dataDir, 'secret-key'))
  expect(await under(secretKey).json('backup', returned)).toMatchObject({ code: 0, answer: { verified: true } })
  const bare = panjiProgram({ PANJI_DATA_DIR: newFolder('no-key') })
  const answer = await bare.json('restore', returned)
  expect(answer).toMatchObject({ code: 1, answer: { error: { code: 'SECRET_KEY_WRONG' } } })
  expect(JSON.stringify(answer)).not.toContain('unset PANJI_SECRET_KEY')
}, 240_000)

test('a folder of something else is refused as it was found, down to its mode', async () => {
  const dataDir = newFolder('of-something-else')
  writeFileSync(join(dataDir, 'letters.txt'), 'Dear Asha')
  const standing = () => (({ mode, uid, gid }) => ({ mode, uid, gid }))(statSync(dataDir))
  const before = standing()
  const refused = await panjiProgram({ PANJI_DATA_DIR: dataDir }).json('restore', backup)
  expect(refused).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_REFUSED' } } })
  expect(readdirSync(dataDir)).toEqual(['letters.txt'])
  expect(standing()).toEqual(before)
})

test('the configuration file, which no backup holds, stays where it is', { timeout: 240_000 }, async () => {
  const dataDir = newFolder('configured')
  const config = join(dataDir, 'panji.json')
  const text = JSON.stringify({ backup: { dir: join(folder, 'nightly') } })
  writeFileSync(config, text)
  const panji = panjiProgram({ PANJI_DATA_DIR: dataDir })
  expect(await panji.json('restore', backup)).toMatchObject({ code: 0, answer: { moved_aside: null } })
  expect(readFileSync(config, 'utf8')).toBe(text)
  expect(await panji.json('restore', backup)).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_REFUSED' } } })
  const again = await panji.json('restore', backup, '--force', '--yes')
  expect(again).toMatchObject({ code: 0, answer: { moved_aside: expect.stringContaining('before-restore-') } })
  expect(readFileSync(config, 'utf8')).toBe(text)
})

test('a folder that is named as the backup is reported by its name', async () => {
  const { answer } = await panjiProgram({ PANJI_DATA_DIR: newFolder('of-a-folder') }).json('restore', folder)
  expect(answer).toMatchObject({ error: { message: `${folder} failed: it is a folder.` } })
})
