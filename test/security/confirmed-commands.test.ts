/** A command that destroys or closes shows what, and changes nothing unless somebody says y at a terminal, or `--yes`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmedCommands } from '../../src/cli/confirm/confirmed-commands.ts'
import { secretKey } from '../support/api.ts'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiProgram, runPanji } from '../support/panji-program.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-confirm-'))
const env = {
  ...{ DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey.reveal(), PANJI_DATA_DIR: dataDir },
  ...{ PORT: '0', PANJI_SANDBOX_PORT: '0', LOG_LEVEL: 'silent' },
}
const program = panjiProgram(env)
afterAll(() => rmSync(dataDir, { recursive: true }))

const user = 'asha@example.in'
const ids: Record<string, string> = {}
const nobody = '00000000-0000-4000-8000-000000000000'

async function panji<T>(...parameters: string[]): Promise<T> {
  const { code, answer, stderr } = await program.json(...parameters)
  expect([parameters.join(' '), code, stderr]).toEqual([parameters.join(' '), 0, expect.any(String)])
  return answer as T
}

async function waitingRun(): Promise<string> {
  const [run] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, rows_read) VALUES
       ('nic', 'a.csv', 'snapshot', '2025-10-01', 'needs_approval', 7) RETURNING run_id AS id`,
  )
  return String(run?.id)
}

beforeAll(async () => {
  writeFileSync(join(dataDir, 'goa.csv'), snapshotText(companies(1, 3)))
  const file = ['mca-companies', join(dataDir, 'goa.csv'), '--as-of', '2025-10-01']
  ids['RUN'] = String((await panji<{ run_id: number }>('ingest', ...file)).run_id)
  ids['WAITING'] = await waitingRun()
  ids['OPEN'] = await waitingRun()
  await panji('account', 'create', '--email', user, '--credits', '5')
  await panji('account', 'grant', user, '--dataset', 'gst')
  ids['GRANT'] = (await panji<{ grant_id: string }[]>('account', 'grants', user))[0]?.grant_id ?? ''
  ids['KEY'] = (await panji<{ prefix: string }[]>('account', 'key', 'list', user))[0]?.prefix ?? ''
  const given = await panji<{ subscription_id: string }>('subscription', 'give', user, 'premium-month')
  ids['TERM'] = given.subscription_id
  await panji('operator', 'add', 'ravi', '--role', 'viewer')
  await panji('suppress', 'add', '--email', 'nobody@example.in')
  ids['WEBHOOK'] = (
    await panji<{ webhook_id: string }>('webhook', 'add', user, '--url', 'https://hooks.example.in/panji')
  ).webhook_id
  await panji('schedule', 'add', 'nightly', '--cron', '0 2 * * *', '--job', 'sweep-expired')
}, 120_000)

/** Whatever any table holds. */
async function state(): Promise<unknown> {
  const tables = await database.db.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'pgboss') ORDER BY 1`,
  )
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS rows FROM ${name} t`,
  )
  return database.db.query(`${parts.join(' UNION ALL ')} ORDER BY name`)
}

async function atTerminal(words: readonly string[], typed?: string) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  if (typed !== undefined) keyboard.write(typed)
  return runPanji(
    words.map((word) => ids[word] ?? word),
    env,
    undefined,
    keyboard,
  )
}

const because = ['--reason', 'a mistake']

/** What is typed, and what is shown before the question. */
const shown: readonly (readonly [command: readonly string[], figures: RegExp])[] = [
  [['discard', 'WAITING'], /Run \d+ of nic \(snapshot of 2025-10-01\) is needs_approval: 7 rows read/],
  [['cancel', 'OPEN'], /Run \d+ of nic .* is needs_approval: 7 rows read/],
  [
    ['account', 'key', 'revoke', user, 'KEY'],
    /Key panji_\w+ \(.*never used\): it ends with 0 open sessions and 0 keys/,
  ],
  [['account', 'revoke-grant', 'GRANT'], /Grant of asha@example.in: gst, .*active, without an end/],
  [['subscription', 'cancel', 'TERM'], /Subscription of asha@example.in: .*, 1 term, until .*; it is not renewed/],
  [['subscription', 'refund', 'TERM', ...because], /1 term, until .*; term 1 goes back/],
  [['suppress', 'remove', '--email', 'nobody@example.in'], /lifts 1 objection:/],
  [['webhook', 'remove', 'WEBHOOK'], /Webhook https:\/\/hooks\.example\.in\/panji of asha@example\.in/],
  [['schedule', 'remove', 'nightly'], /Schedule nightly: sweep-expired at 0 2 \* \* \*/],
  [['operator', 'revoke', 'ravi'], /Operator ravi \(viewer, token never used\)/],
  [['jobs', 'discard', '--all'], /discards 0 failed jobs for good/],
  [
    ['account', 'suspend', user],
    /Account asha@example.in \(premium\): this ends 0 open sessions and blocks 1 API key\./,
  ],
  [
    ['scope', 'lower', 'mca-companies', '--to', '2025-09-01', ...because],
    /1 partition of mca-companies .*: ROC Goa \(2025-10-01\)/,
  ],
  [['history', 'prune', '--before', '2020-01-01'], /complete now\. Changes of 0 runs before 2020-01-01/],
  [['undo', 'RUN', ...because], /Run \d+ of mca-companies .*: 3 inserted records, 0 updated and 0 closed are undone/],
  [['ledger', 'close-month', '2025-10', ...because], /2025-10: sold ₹0\.00, revenue ₹0\.00/],
  [['sample', 'remove'], /0 runs with 0 records, and the demo account/],
  [['secrets', 'rotate', '--lost'], /with the settings of 0 destinations/],
]

test('n ends each of them with 1 and nothing changed, after the figures', { timeout: 120_000 }, async () => {
  for (const [words, figures] of shown) {
    const before = await state()
    const { code, stdout, stderr } = await atTerminal([...words, '--json'], 'n\r')
    expect([words, code, stderr]).toEqual([words, 1, expect.stringMatching(figures)])
    expect(stderr).toMatch(/Go on\? \[y\/N\] [\s\S]*panji: Nothing was changed/)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED' } })
    expect([words, await state()]).toEqual([words, before])
  }
})

test('without a terminal each ends with 2 and nothing changed, and names --yes and the figures', async () => {
  for (const [words, figures] of shown) {
    const before = await state()
    const { code, answer, stderr } = await program.json(...words.map((word) => ids[word] ?? word))
    expect([words, code, stderr]).toEqual([words, 2, expect.stringMatching(figures)])
    const message = expect.stringMatching(/^Nothing was changed: .*--yes is required\. /)
    expect(answer).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED', message } })
    expect([words, await state()]).toEqual([words, before])
  }
  const file = join(dataDir, 'none.tar.gz')
  const forced = await runPanji(['restore', file, '--force'], { ...env, DATABASE_URL: '' })
  expect([forced.code, forced.stderr]).toEqual([2, expect.stringMatching(/--yes is required\. .*is moved aside/)])
}, 120_000)

test('something that does not exist is reported before confirmation is requested', async () => {
  const unknown = [
    ['order', 'refund', nobody, ...because],
    ['payments', 'refund', 'pay_none', ...because],
    ['payments', 'write-off', 'nobody@example.in', ...because],
    ['subscription', 'refund', nobody, ...because],
    ['destination', 'remove', nobody],
    ['standing-order', 'end', nobody, ...because],
  ]
  for (const words of unknown) {
    const { code, stderr } = await atTerminal(words)
    expect([words, code === 0, stderr.includes('Go on?')]).toEqual([words, false, false])
  }
  const told = [...shown.map(([words]) => words), ...unknown].map((words) => words.join(' '))
  const missing = confirmedCommands.filter((path) => !told.some((words) => words.startsWith(path)))
  expect(missing.toSorted()).toEqual(['operator totp', 'restore'])
})

test('restore --force asks before it reads anything, and destination remove names what it removes', async () => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  keyboard.write('n\r')
  const forced = ['restore', join(dataDir, 'none.tar.gz'), '--force']
  const { code, stderr } = await runPanji(forced, { ...env, DATABASE_URL: '' }, undefined, keyboard)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is moved aside[\s\S]*Nothing was changed/)])
  const [made] = await database.db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, settings_encrypted, remote_account)
     SELECT account_id, 'hubspot', 'sales', '', 'portal' FROM access.account LIMIT 1 RETURNING destination_id AS id`,
  )
  ids['DESTINATION'] = made?.id ?? ''
  const kept = await atTerminal(['destination', 'remove', 'DESTINATION'], 'n\r')
  expect([kept.code, kept.stderr]).toEqual([
    1,
    expect.stringContaining(`Destination sales (hubspot, active) of ${user}`),
  ])
  await database.db.execute('DELETE FROM deliver.destination')
})

test('the parts of a command that destroy nothing ask nothing', async () => {
  const { code, stderr } = await atTerminal(['operator', 'totp', 'ravi'])
  expect([code, stderr]).toEqual([0, ''])
  const removal = await atTerminal(['operator', 'totp', 'ravi', '--remove'], 'n\r')
  expect([removal.code, removal.stderr]).toEqual([
    1,
    expect.stringContaining('the token alone signs in to the console'),
  ])
})

test('--yes answers with a terminal and without one, and y does at one', { timeout: 120_000 }, async () => {
  for (const [index, [words]] of shown.entries()) {
    const way = index % 3
    const { code, stdout, stderr } =
      way === 2
        ? await program.run(...words.map((word) => ids[word] ?? word), '--yes')
        : await (way === 0 ? atTerminal([...words, '--yes']) : atTerminal(words, 'y\r'))
    expect([words, code, `${stdout}${stderr}`]).toEqual([words, 0, expect.any(String)])
    expect([words, stderr.includes('Go on?')]).toEqual([words, way === 1])
  }
})
