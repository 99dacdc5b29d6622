/** What an operator may mistype: a name that nobody has, a window that holds no day, a number that cannot be meant. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCustomer } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiProgram } from '../support/panji-program.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-bounds-'))
const panji = panjiProgram({
  DATABASE_URL: database.url,
  PANJI_SECRET_KEY: 'a-key-of-sixteen-characters',
  PANJI_DATA_DIR: dataDir,
})
let user: string
const nobody = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  await database.db.execute(
    `INSERT INTO reference.pincode (id, pincode, district, state, offices, first_run_id, last_run_id, as_of)
     VALUES ('a', '403001', 'North Goa', 'Goa', 1, 1, 1, '2025-01-01'), ('b', '411001', 'Pune', 'Maharashtra', 1, 1, 1, '2025-01-01')`,
  )
  user = (await createCustomer(database.db)).accountId
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const grant = (...bounds: string[]) => ['account', 'grant', 'USER', '--dataset', 'company', ...bounds]

/** The command, the exit code (1: no such thing, 2: cannot be meant), and what the sentence names. */
const refusals: readonly (readonly [readonly string[], 1 | 2, string])[] = [
  [grant('--districts', 'Nowhere'), 1, 'Nowhere'],
  [grant('--districts', 'Pun'), 1, 'Pune'],
  [grant('--states', 'Atlantis'), 1, 'Atlantis'],
  [grant('--states', 'Goa', '--districts', 'Pune'), 1, 'Maharashtra'],
  [grant('--pincodes', '403001,12'), 2, '12'],
  [grant('--pincodes', '999999'), 1, '999999'],
  [grant('--states', ','), 2, '--states'],
  [grant('--districts', ''), 2, '--districts'],
  [grant('--pincodes', ' '), 2, '--pincodes'],
  [grant('--from', '2026-02-01', '--to', '2026-01-01'), 2, '2026-01-01'],
  [grant('--anchored', '--to', '2020-01-01'), 1, '2020-01-01'],
  [grant('--from', '2026-02-30'), 2, '2026-02-30'],
  [['account', 'grant', nobody, '--dataset', 'company'], 1, nobody],
  [['account', 'grant', 'USER', '--dataset', 'cars'], 2, 'cars'],
  [grant('--as', 'gift'), 2, 'gift'],
  [['account', 'create', '--email', 'b@example.com', '--plan', 'gold'], 2, 'gold'],
  [['account', 'create', '--email', 'b@example.com', '--credits', '-1'], 2, '-1'],
  [['account', 'suspend', nobody], 1, nobody],
  [['account', 'credits', 'nobody@example.com'], 1, 'nobody@example.com'],
  [['account', 'key', 'list', nobody], 1, nobody],
  [['account', 'key', 'list', 'USER', 'panji_none'], 1, 'panji_none'],
  [['account', 'key', 'revoke', 'USER', 'panji_none'], 1, 'panji_none'],
  [['account', 'key', 'create', 'USER', '--expires', '2020-01-01'], 1, 'expires_at'],
  [['account', 'key', 'create', 'USER', '--replaces', 'panji_none'], 1, 'panji_none'],
  [['account', 'key', 'create', 'USER', '--scopes', 'read,fly'], 2, 'fly'],
  [['destination', 'list', nobody], 1, nobody],
  [['destination', 'list', 'nobody'], 1, 'nobody'],
  [['destination', 'test', nobody], 1, nobody],
  [['destination', 'pause', 'nonsense'], 1, 'nonsense'],
  [['destination', 'remove', nobody], 1, nobody],
  [['push', nobody, '--destination', nobody], 1, 'order'],
  [['push', nobody, '--destination', nobody, '--dry-run'], 1, nobody],
  [['runs', '999'], 1, '999'],
  [['rejects', '999'], 1, '999'],
  [['approve', '999'], 1, '999'],
  [['discard', '999'], 1, '999'],
  [['schedule', 'pause', 'nonsense'], 1, 'nonsense'],
  [['schedule', 'run', 'nonsense'], 1, 'nonsense'],
  [['schedule', 'remove', 'nonsense'], 1, 'nonsense'],
  [['schedule', 'add', 'x', '--cron', '* * * * *', '--job', 'fly'], 2, 'fly'],
  [['schedule', 'add', 'x', '--cron', '99 * * * *', '--job', 'collect-words'], 2, '99'],
  [['schedule', 'add', 'x', '--cron', '0 0 30 2 *', '--job', 'collect-words'], 2, '0 0 30 2 *'],
  [
    ['schedule', 'add', 'x', '--cron', '* * * * *', '--timezone', 'Mars/Base', '--job', 'collect-words'],
    2,
    'Mars/Base',
  ],
  [['schedule', 'add', '', '--cron', '* * * * *', '--job', 'collect-words'], 2, 'name'],
  [['jobs', 'redrive', nobody], 1, nobody],
  [['jobs', 'discard', 'nonsense'], 1, 'nonsense'],
  [['operator', 'revoke', 'nobody'], 1, 'nobody'],
  [['operator', 'add', 'Asha!', '--role', 'viewer'], 1, 'name'],
  [['operator', 'add', 'asha', '--role', 'king'], 2, 'king'],
  [['history', 'prune', '--before', '2999-01-01', '--yes'], 2, '2999-01-01'],
  [['ingest', 'mca-companies', 'x.csv', '--mode', 'everything'], 2, 'everything'],
  [['sandbox', '--port', '99999'], 2, '99999'],
  [['start', '--role', 'king'], 2, 'king'],
  [['sql', 'cars'], 2, 'cars'],
]

describe('what cannot be meant, or names nothing, ends with a sentence and another exit code than 0', () => {
  test.each(refusals.map(([command, code, says]) => ({ command, code, says })))(
    'panji $command',
    async ({ command, code, says }) => {
      const given = command.map((word) => (word === 'USER' ? user : word))
      const outcome = await panji.run(...given)
      expect(outcome.stderr).toContain(says)
      expect(outcome.code).toBe(code)
      expect(outcome.stdout).toBe('')
      expect(outcome.stderr).not.toMatch(/\n\s+at /)
    },
  )
})

test('nothing of all that was written down', async () => {
  const [left] = await database.db.query(
    `SELECT (SELECT count(*) FROM access.entitlement) AS grants, (SELECT count(*) FROM runtime.schedule WHERE origin = 'operator') AS schedules,
            (SELECT count(*) FROM access.account) AS accounts, (SELECT count(*) FROM access.operator) AS operators`,
  )
  expect(left).toEqual({ grants: 0, schedules: 0, accounts: 1, operators: 0 })
})

test('a code that no reject can have is refused, one that this run has none of is an empty list', async () => {
  const { answer } = await panji.json('ingest', 'mca-companies', join(dataDir, 'absent.csv'))
  const { run_id: run } = answer as { run_id: number }
  expect(await panji.json('rejects', `${run}`, '--code', 'cin_malformd')).toMatchObject({
    code: 2,
    answer: { error: { message: expect.stringContaining('cin_malformed') } },
  })
  expect(await panji.json('rejects', `${run}`, '--code', 'cin_malformed')).toMatchObject({ code: 0, answer: [] })
})

test('a place in another spelling is the place', async () => {
  const granted = await panji.json(
    ...grant('--states', 'goa', '--districts', 'north  goa', '--pincodes', '403001').map((word) =>
      word === 'USER' ? user : word,
    ),
  )
  expect(granted).toMatchObject({ code: 0, answer: { territory: { states: ['Goa'], pincodes: ['403001'] } } })
})

test('doctor names what the queue itself warned of', async () => {
  await database.db.execute(`INSERT INTO pgboss.warning (type, message) VALUES ('index_bloat', 'an index grew')`)
  const { answer } = await panji.json('doctor')
  const warned = { name: 'queue warnings', ok: false, detail: 'index_bloat (1): an index grew' }
  expect((answer as { checks: unknown[] }).checks).toContainEqual(warned)
})
