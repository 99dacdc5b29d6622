/** What a command is told is held against the same rules as what the API is sent, whichever way it goes. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const panji = (...parameters: string[]) =>
  panjiProgram({
    PANJI_DATA_DIR: home.dataDir,
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'secret-key-of-arguments-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-arguments',
  }).json(...parameters)

test('somebody is invited by an address that mail can be sent to, and is one person however it is written', async () => {
  const made = await panji('account', 'create', '--email', 'firm@example.com')
  const { user_id: user } = made.answer as { user_id: string }
  for (const address of ['ravi', 'ravi@example', 'a b@example.com', '<ravi@example.com>'])
    expect(await panji('account', 'invite', user, address)).toMatchObject({
      code: 2,
      answer: { error: { code: 'BAD_REQUEST', message: expect.stringContaining('e-mail address') } },
    })
  const people = []
  for (const address of ['ravi@example.com', ' Ravi@example.com '])
    people.push(((await panji('account', 'invite', user, address)).answer as { person_id: string }).person_id)
  expect(new Set(people).size).toBe(1)
  expect((await panji('account', 'people', user)).answer).toMatchObject([
    { email: 'firm@example.com' },
    { email: 'ravi@example.com' },
  ])
})

test('no credits at all are no movement', async () => {
  const made = await panji('account', 'create', '--email', 'other@example.com')
  const { user_id: user } = made.answer as { user_id: string }
  expect(await panji('account', 'credits', user, '0', '--reference', 'none')).toMatchObject({ code: 2 })
})

test('a month that is none is wrong usage, wherever a command is told one', async () => {
  for (const month of ['x', '2026-13', '2026-1', '2026-04-01'])
    for (const words of [
      ['ledger', 'month', month],
      ['ledger', 'close-month', month, '--yes'],
      ['invoices', 'list', '--month', month],
      ['invoices', 'export', '--month', month],
    ])
      expect([words, await panji(...words)]).toMatchObject([
        words,
        { code: 2, answer: { error: { code: 'BAD_REQUEST' } } },
      ])
})

test('an account is made of an address that mail can be sent to, and names are as long as the API takes them', async () => {
  for (const address of ['ravi', '<ravi@example.com>', 'a b@example.com', `${'a'.repeat(320)}@example.com`])
    expect([address, await panji('account', 'create', '--email', address)]).toMatchObject([address, { code: 2 }])
  const made = await panji('account', 'create', '--email', ' named@example.com ', '--username', ' Named ')
  expect(made).toMatchObject({ code: 0, answer: { email: 'named@example.com' } })
  for (const name of ['', ' ', 'n'.repeat(101)])
    expect(await panji('account', 'key', 'create', 'named@example.com', '--name', name)).toMatchObject({ code: 2 })
  expect(
    await panji('account', 'create', '--email', 'other-name@example.com', '--username', 'n'.repeat(201)),
  ).toMatchObject({
    code: 2,
  })
})

test('a number that is none, or out of bounds, is wrong usage, and so is what an operation refuses to read', async () => {
  const add = ['schedule', 'add', 'nightly', '--job', 'collect-words']
  const update = ['destination', 'update', crypto.randomUUID()]
  for (const words of [
    ...['x', '0', '-1', '1.5', '99999999999', ''].flatMap((limit) =>
      [
        ['account', 'list'],
        ['audit', 'list'],
        ['suppress', 'list'],
        ['deliveries', 'list'],
      ].map((list) => [...list, '--limit', limit]),
    ),
    ['logs', '--lines', 'all'],
    ['sample', 'generate', '--out', 'x', '--companies', '-1', '--gst', '1', '--directors', '1'],
    ['account', 'key', 'create', 'firm@example.com', '--overlap-hours', '10000'],
    ['webhook', 'listen', '--port', '65536'],
    ['sandbox', '--port', '1e3'],
    ...['0', '10001', '1.5', 'all'].map((size) => [...update, '--batch-size', size]),
    ...['1', '-0.1', 'half'].map((part) => [...update, '--customer-share', part]),
    ...['0', '1.1', '5%'].map((part) => [...update, '--pause-at-rejected', part]),
    ...['0', '101'].flatMap((score) => [
      [...update, '--adopt-from', score],
      [...update, '--ask-from', score],
    ]),
    [...update, '--hours', '20-06'],
    [...update, '--keep', 'old'],
    [...add, '--cron', 'daily'],
    [...add, '--cron', '0 0 31 2 *'],
    [...add, '--cron', '0 1 * * *', '--timezone', 'Mars/Base'],
  ])
    expect([words, await panji(...words)]).toMatchObject([
      words,
      { code: 2, answer: { error: { code: 'BAD_REQUEST' } } },
    ])
  expect((await panji('schedule', 'list')).answer).not.toContainEqual(expect.objectContaining({ name: 'nightly' }))
})

test.each([
  ['<order_id>', ['order', 'show', '']],
  ['<user_id>', ['account', 'show', ' ']],
  ['<grant_id>', ['account', 'revoke-grant', '', '--yes']],
  ['<job_id>', ['jobs', 'redrive', crypto.randomUUID(), '']],
  ['<file|url>', ['ingest', 'nic', '']],
  ['--account', ['ledger', 'export', '--account', '']],
  ['--actor', ['audit', 'list', '--actor', '']],
  ['--order', ['deliveries', 'retry', '--order', '']],
  ['--user', ['standing-order', 'pause', '--user', '']],
  ['--email', ['suppress', 'add', '--email', 'asha@example.in', '--email', '']],
  ['--scope', ['scope', 'lower', 'nic', '--to', '2026-01-01', '--reason', 'why', '--scope', '', '--yes']],
])('an empty %s is wrong usage, and neither nothing nor everything', async (name, words) => {
  expect(await panji(...words)).toMatchObject({
    code: 2,
    answer: { error: { code: 'BAD_REQUEST', message: `${name} is empty; it needs a value` } },
  })
})

test.each([
  [['suppress', 'add', '--file']],
  [['suppress', 'remove', '--yes', '--file']],
  [['secrets', 'rotate', '--yes', '--new-key-file']],
  [['receipt', 'verify']],
  [['webhook', 'listen', '--secret-file']],
  [['destination', 'map', crypto.randomUUID(), '--file']],
  [['destination', 'update', crypto.randomUUID(), '--settings']],
  [['deliveries', 'fix']],
])('%j says of a file that it is a folder, or that there is none', async (words) => {
  for (const [path, reason] of [
    [home.dataDir, 'it is a folder'],
    [join(home.dataDir, 'none.json'), 'there is no such file or folder'],
  ] as const)
    expect([path, await panji(...words, path)]).toMatchObject([
      path,
      { code: 1, answer: { error: { message: expect.stringMatching(`file ${path} cannot be read: ${reason}`) } } },
    ])
})

test('an overlap without a key that is replaced is wrong usage, and makes no key', async () => {
  await panji('account', 'create', '--email', 'overlap@example.com')
  const create = ['account', 'key', 'create', 'overlap@example.com', '--overlap-hours', '1']
  expect(await panji(...create)).toMatchObject({
    code: 2,
    answer: { error: { message: '--overlap-hours applies only with --replaces, which names the old key' } },
  })
  expect((await panji('account', 'key', 'list', 'overlap@example.com')).answer).toHaveLength(1)
})

test('a pause that names one standing order and several pauses none', async () => {
  const pause = ['standing-order', 'pause']
  const id = crypto.randomUUID()
  for (const words of [
    pause,
    [...pause, id, '--all'],
    [...pause, id, '--user', 'x'],
    [...pause, '--user', 'x', '--all'],
  ])
    expect([words, await panji(...words)]).toMatchObject([
      words,
      {
        code: 2,
        answer: { error: { code: 'BAD_REQUEST', message: 'Name a standing order, or use either --user or --all.' } },
      },
    ])
})

test('a time of delivery that is none, and a standing order that cannot be meant, are wrong usage', async () => {
  for (const when of ['9:75', '25:00', 'soon', '']) {
    for (const words of [
      ['add', 'nobody@example.com', '--type', 'hubspot', '--name', 'x', '--settings', 'none.json'],
      ['update', crypto.randomUUID()],
    ])
      expect([when, await panji('destination', ...words, '--deliver', when)]).toMatchObject([when, { code: 2 }])
  }
  const made = await panji('account', 'create', '--email', 'standing@example.com')
  const { user_id: user } = made.answer as { user_id: string }
  const create = ['standing-order', 'create', user, '--name', 'x', '--query', "state == 'Goa'"]
  const budget = ['--day', '5', '--month', '9', '--run', '1']
  for (const words of [
    ['--type', 'gst', ...budget, '--schedule', 'soon'],
    ['--type', 'gst', ...budget, '--ends', '2027-02-30'],
    ['--type', 'director', ...budget],
    ['--type', 'gst', '--day', '5'],
    ['--type', 'gst', '--day', '0', '--month', '9', '--run', '1'],
    ['--type', 'gst', '--day', '100001', '--month', '100001', '--run', '1'],
    ['--type', 'gst', '--day', '5', '--month', '1000001', '--run', '1'],
    ['--type', 'gst', '--day', '5', '--month', '5000', '--run', '1001'],
  ])
    expect([words, await panji(...create, ...words)]).toMatchObject([
      words,
      { code: 2, answer: { error: { code: 'BAD_REQUEST' } } },
    ])
  expect(await panji('standing-order', 'list', user)).toMatchObject({ code: 0, answer: [] })
})

test.each([
  ['audit list', ['audit', 'list', '--from', '2026-02-01', '--to', '2026-01-31']],
  ['audit export', ['audit', 'export', 'swapped.jsonl', '--from', '2026-02-01', '--to', '2026-01-31']],
  ['audit breach', ['audit', 'breach', '--since', '2026-02-01', '--to', '2026-01-31']],
  ['ledger export', ['ledger', 'export', '--from', '2026-02-01', '--to', '2026-01-31']],
])('%s between days that are the wrong way round is no answer of nothing, and writes no file', async (_, words) => {
  expect(await panji(...words)).toMatchObject({
    code: 2,
    answer: { error: { message: 'the last day, 2026-01-31, comes before the first, 2026-02-01' } },
  })
  expect(existsSync('swapped.jsonl')).toBe(false)
})

test('a breach is not said to have affected nobody since a day to come, or from what is no address', async () => {
  expect(await panji('audit', 'breach', '--since', '2999-01-01')).toMatchObject({
    code: 2,
    answer: { error: { message: expect.stringMatching(/^--since: 2999-01-01 is still to come; today is \d{4}-/) } },
  })
  for (const address of ['', '203.0.113', 'gateway']) {
    expect(await panji('audit', 'breach', '--since', '2026-01-01', '--address', address)).toMatchObject({
      code: 2,
      answer: { error: { message: `--address: "${address}" is no IP address` } },
    })
  }
  for (const address of ['203.0.113.7', '2001:DB8::1', '2001:db8::/64', 'other addresses'])
    expect(await panji('audit', 'breach', '--since', '2026-01-01', '--address', address)).toMatchObject({ code: 0 })
})

test('a backup into a folder is refused before anything is copied, and nobody is led to replace the folder', async () => {
  const folder = join(home.dataDir, 'backups')
  mkdirSync(folder)
  for (const more of [[], ['--overwrite']]) {
    expect(await panji('backup', folder, ...more)).toMatchObject({
      code: 1,
      answer: { error: { code: 'BACKUP_REFUSED', message: `${folder} is a folder. Name a file in it.` } },
    })
  }
  expect(readdirSync(home.dataDir).filter((name) => name.startsWith('backups'))).toEqual(['backups'])
})
