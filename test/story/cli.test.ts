/** The command line as an operator meets it first: wrong words, a missing file, JSON for scripts, a health check. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { companyFile } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-cli-'))
const panji = panjiProgram({
  DATABASE_URL: database.url,
  PANJI_SECRET_KEY: 'a-key-of-sixteen-characters',
  PANJI_DATA_DIR: dataDir,
  PANJI_DROP_SETTLE_SECONDS: '1',
})
afterAll(() => rmSync(dataDir, { recursive: true }))

describe('wrong usage ends with exit code 2 and names the mistake', () => {
  test.each([
    [['nonsense'], 'nonsense'],
    [['ingest'], 'source'],
    [['ingest', 'mca-everything', 'x.csv'], 'mca-companies'],
    [['ingest', 'mca-companies', 'x.csv', '--as-of', '2024-02-31'], '2024-02-31'],
    [['ingest', 'mca-companies', ' '], '<file|url> is empty'],
    [['ingest', 'mca-companies', 'x.csv', '--map', 'Firm'], '"Firm" is not COLUMN=field'],
    [['ingest', 'mca-companies', 'x.csv', '--map', 'Firm=id', '--map', 'Firm=name'], '"Firm" is mapped twice'],
    [['ingest', 'mca-companies', 'ftp://example.in/x.csv'], 'ftp: is not supported'],
    [['runs', 'seven'], 'seven'],
    [['account', 'create', '--email', 'nobody'], 'nobody'],
    [['schedule', 'add', 'x', '--cron', '* * * * *'], '--source'],
    [['sample', 'generate', '--out', 'x', '--companies', '-1', '--gst', '0', '--directors', '0'], '-1'],
  ])('%j', async (parameters, named) => {
    const { code, stderr, stdout } = await panji.run(...parameters)
    expect(code).toBe(2)
    expect(stderr).toContain(named)
    expect(stdout).toBe('')
  })
})

test('wrong usage is one line with the nearest word, and with --json a document', async () => {
  const plain = await panji.run('rusn')
  expect(plain.stderr.split('\n')[0]).toMatch(/^panji: unknown command 'rusn'.*runs/)
  const { code, stdout, stderr } = await panji.run('runs', '--jsno', '--json')
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'BAD_REQUEST', message: expect.stringContaining('--json') } })
  expect(stderr).toContain('--jsno')
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await panji.run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
})

test('help is no mistake', async () => {
  const { code, stdout } = await panji.run('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('ingest')
})

test('every fault of the environment is reported at once and no secret is printed', async () => {
  const broken = panjiProgram({ PORT: 'many', LOG_LEVEL: 'loud', PANJI_SECRET_KEY: 'hunter2' })
  const { code, stderr, stdout } = await broken.run('doctor', '--json')
  expect(code).toBe(1)
  for (const name of ['PORT', 'LOG_LEVEL', 'PANJI_SECRET_KEY']) expect(stderr).toContain(name)
  expect(stderr + stdout).not.toContain('hunter2')
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CONFIG_INVALID' } })
})

test('a fresh data directory is migrated once, and the doctor finds it well, each in a process of its own', async () => {
  const home = panjiHome()
  try {
    const { answer } = await home.json('migrate')
    expect((answer as { applied: string[] }).applied.length).toBeGreaterThan(3)
    expect((await home.json('migrate')).answer).toEqual({ applied: [] })
    expect((await home.json('secrets', 'rotate')).answer).toMatchObject({
      key_id: expect.any(String),
      signing_key: null,
    })
    expect(await home.json('doctor')).toMatchObject({ code: 0, answer: { ok: true } })
    const unknown = '0199d1f0-0000-7000-8000-000000000000'
    for (const named of [
      ['payments', 'show', unknown],
      ['deliveries', 'list', '--order', unknown],
      ['deliveries', 'retry', '--destination', unknown],
    ]) {
      const told = { code: 1, answer: { error: { code: 'NOT_FOUND', message: expect.stringContaining(unknown) } } }
      expect(await home.json(...named), named.join(' ')).toMatchObject(told)
    }
    // The folder is looked for where the worker runs on this machine, as it does beside the embedded database.
    const add = ['schedule', 'add', 'drop', '--cron', '*/5 * * * *', '--source', 'mca', '--input', '/nowhere/*.csv']
    const message = expect.stringMatching(/"mca" is none of mca-companies[\s\S]*no folder \/nowhere/)
    expect(await home.json(...add)).toMatchObject({ code: 2, answer: { error: { code: 'BAD_REQUEST', message } } })
  } finally {
    home.remove()
  }
}, 120_000)

describe('a file that cannot be a snapshot ends as a failed run and changes nothing', () => {
  test.each([
    ['missing.csv', undefined, 'SOURCE_UNREADABLE'],
    ['empty.csv', '', 'SOURCE_UNREADABLE'],
    ['wrong-header.csv', 'CORPORATE_IDENTIFICATION_NUMBER,DATE_OF_REGISTRATION\nU1,2011\n', 'HEADER_MISMATCH'],
    ['binary.csv', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0, 1, 2, 3, 0xff]), 'SOURCE_CORRUPT'],
  ])(
    '%s',
    async (name, content, code) => {
      const path = join(dataDir, name)
      if (content !== undefined) writeFileSync(path, content)
      const outcome = await panji.json('ingest', 'mca-companies', path)
      expect(outcome.code).toBe(1)
      expect(outcome.answer).toMatchObject({ status: 'failed', error: { code } })
      expect((outcome.answer as { error: { message: string } }).error.message).toContain(name)
    },
    60_000,
  )
})

test('columns that --map names are read as their fields, and so is the next file that has them', async () => {
  const [header, path] = ['Firm No,Firm', join(dataDir, 'firms.csv')]
  const [map, column_map] = [['--map', 'Firm No=id', '--map', 'Firm=name'], { 'Firm No': 'id', Firm: 'name' }]
  writeFileSync(path, `${header}\nU74999KL2019PTC000501,KONKAN CASHEW LIMITED\n`)
  const unknown = await panji.json('ingest', 'mca-companies', path)
  expect(unknown).toMatchObject({ code: 1, answer: { error: { message: expect.stringContaining('--map COLUMN=') } } })
  const wrong = await panji.json('ingest', 'mca-companies', path, '--map', 'Firm No=ident', '--map', 'Firm=name')
  expect(wrong).toMatchObject({
    code: 2,
    answer: { error: { message: expect.stringContaining('Fields: id, name, ') } },
  })
  const first = await panji.json('ingest', 'mca-companies', path, ...map)
  expect(first).toMatchObject({ code: 0, answer: { status: 'succeeded', inserted: 1, column_map } })
  writeFileSync(path, `${header},Town\nU74999KL2019PTC000502,KONKAN SPICES LIMITED,Kochi\n`)
  const next = await panji.json('ingest', 'mca-companies', path)
  expect(next).toMatchObject({ code: 0, answer: { status: 'succeeded', inserted: 1, column_map } })
  const names = await database.db.query(
    `SELECT name FROM registry.company WHERE cin IN ('U74999KL2019PTC000501', 'U74999KL2019PTC000502') ORDER BY cin`,
  )
  expect(names).toEqual([{ name: 'KONKAN CASHEW LIMITED' }, { name: 'KONKAN SPICES LIMITED' }])
}, 120_000)

test('keys and operators are made, listed and revoked, and an e-mail names the account', async () => {
  const email = 'keys@example.com'
  await panji.json('account', 'create', '--email', email)
  const made = (
    await panji.json('account', 'key', 'create', email, '--name', 'crm', '--scopes', 'read', '--expires', '2090-01-31')
  ).answer as Record<string, string>
  expect(made).toEqual({
    key_id: expect.any(String),
    prefix: made['api_key']?.slice(0, 10),
    api_key: expect.stringMatching(/^panji_[0-9A-Za-z]{43}$/),
  })
  const key = { key_id: made['key_id'], name: 'crm', scopes: ['read'], expires_at: '2090-01-31T18:30:00.000Z' }
  const listed = await panji.json('account', 'key', 'list', 'KEYS@example.com')
  expect(listed.answer).toEqual([expect.objectContaining({ ...key, revoked_at: null }), expect.anything()])
  const revoked = await panji.json('account', 'key', 'revoke', email, made['prefix'] ?? '', '--yes')
  expect(revoked.answer).toEqual([expect.objectContaining({ ...key, revoked_at: expect.any(String) })])
  expect(await panji.json('account', 'key', 'list', 'nobody@example.com')).toMatchObject({ code: 1 })
  expect((await panji.json('account', 'key', 'create', email, '--scopes', 'all')).code).toBe(2)

  const added = (await panji.json('operator', 'add', 'asha', '--role', 'viewer')).answer as Record<string, string>
  expect(added).toMatchObject({ name: 'asha', role: 'viewer', token: expect.stringMatching(/^panji_op_/) })
  expect((await panji.json('operator', 'revoke', 'asha', '--yes')).answer).toMatchObject({
    revoked_at: expect.any(String),
  })
  expect((await panji.json('operator', 'list')).answer).toHaveLength(1)
  expect(await panji.json('doctor')).toMatchObject({ code: 0, answer: { ok: true } })
}, 240_000)

test('an account is created with its key, granted a feed and given credits by the same reference once', async () => {
  const created = (await panji.json('account', 'create', '--email', 'a@example.com', '--plan', 'premium'))
    .answer as Record<string, string>
  expect(created['api_key']).toMatch(/^panji_[0-9A-Za-z]{43}$/)
  const userId = created['user_id'] ?? ''
  const granted = await panji.json(
    'account',
    'grant',
    userId,
    '--dataset',
    'gst',
    '--states',
    'Goa,Kerala',
    '--from',
    '2026-01-01',
  )
  expect(granted.answer).toMatchObject({
    enabled: true,
    granted_by: 'subscription',
    territory: { restricted: true, states: ['Goa', 'Kerala'] },
    date_window: { from: '2026-01-01' },
  })
  const second = ['--dataset', 'gst', '--districts', 'Chennai', '--name', 'Chennai', '--expires', '2090-03-31']
  expect((await panji.json('account', 'grant', 'A@example.com', ...second)).answer).toMatchObject({
    grants: [{}, { plan: 'Chennai', expires_at: '2090-03-31T18:30:00.000Z' }],
  })
  expect((await panji.json('account', 'grant', userId, ...second.slice(0, 2), '--expires', 'soon')).code).toBe(2)
  const [chennai] = (await panji.json('account', 'grants', 'a@example.com')).answer as { grant_id: string }[]
  expect((await panji.json('account', 'revoke-grant', crypto.randomUUID())).code).toBe(1)
  const ended = await panji.json('account', 'revoke-grant', chennai?.grant_id ?? '', '--yes')
  expect(ended.answer).toMatchObject({ plan: 'Chennai', state: 'revoked' })
  expect(
    (await panji.json('account', 'revoke-grant', 'a@example.com', chennai?.grant_id ?? '', '--yes')).answer,
  ).toEqual(ended.answer)
  const key = created['api_key'] ?? ''
  for (const text of ['A@EXAMPLE', userId, key.slice(0, 10), key.slice(0, 16)]) {
    expect((await panji.json('account', 'find', text)).answer).toMatchObject([{ user_id: userId }])
    const shown = await panji.json('account', 'show', text === 'A@EXAMPLE' ? 'A@example.com' : text)
    expect(shown.answer).toMatchObject({ user_id: userId })
  }
  expect((await panji.json('account', 'find', 'nobody@')).code).toBe(1)
  expect((await panji.json('account', 'show', 'panji_none')).code).toBe(1)
  expect((await panji.json('account', 'plan', 'a@example.com', 'free')).answer).toMatchObject({ plan: 'free' })
  expect((await panji.json('account', 'plan', 'a@example.com')).code).toBe(2)
  expect((await panji.json('account', 'show', 'a@example.com')).answer).toMatchObject({
    user_id: userId,
    plan: 'free',
    keys: [{}],
    grants: [{ state: 'revoked' }, { state: 'active' }],
  })
  await panji.json('account', 'credits', userId, '5', '--reference', 'invoice-1')
  const twice = await panji.json('account', 'credits', userId, '5', '--reference', 'invoice-1')
  expect(twice.answer).toMatchObject({ credits: [{ balance: 5 }] })
  const less = ['account', 'credits', userId, '-2', '--reference', 'error-1', '--reason', 'given in error']
  expect((await panji.json(...less)).answer).toMatchObject({ credits: [{ type: 'granted', balance: 3 }] })
  const bought = ['account', 'credits', userId, '+4', '--reference', 'cash-1', '--reason', 'paid in cash']
  const after = await panji.json(...bought, '--type', 'purchased', '--expires', '2999-12-31')
  expect(after.answer).toMatchObject({
    credits: [
      { type: 'purchased', balance: 4 },
      { type: 'granted', balance: 3 },
    ],
  })
  expect((await panji.json('ledger', 'show', 'a@example.com')).answer).toMatchObject([
    { kind: 'grant', amount: 4, credit_type: 'purchased', actor: 'operator', memo: 'paid in cash', balance_after: 7 },
    { kind: 'revoke', amount: 2, memo: 'given in error' },
    { kind: 'grant', amount: 5 },
  ])
  expect((await panji.json('ledger', 'check')).answer).toEqual({ ok: true, transfers: 3, violations: [] })
  for (const what of ['a@example.com', 'nobody@example.com']) {
    const found = await panji.json('order', 'find', what)
    expect(found).toMatchObject({
      code: 1,
      answer: { error: { code: 'NOT_FOUND', message: expect.stringContaining(what) } },
    })
  }
  const refund = ['order', 'refund', '00000000-0000-4000-8000-000000000000', '--items', '0,3', '--reason', 'wrong']
  expect(await panji.json(...refund)).toMatchObject({ code: 1, answer: { error: { code: 'NOT_FOUND' } } })
  expect((await panji.json('account', 'suspend', userId, '--yes')).answer).toMatchObject({ suspended: true })
}, 240_000)

test('what a command asks for is checked as it is over HTTP, and nothing of it is done', async () => {
  const asked = ['undo', '1', '--reason', 'x'.repeat(501), '--yes']
  const message = expect.stringContaining('reason must be')
  expect(await panji.json(...asked)).toMatchObject({ code: 2, answer: { error: { code: 'BAD_REQUEST', message } } })
  expect(await panji.json('runs', '999')).toMatchObject({ code: 1, answer: { error: { code: 'NOT_FOUND' } } })
})

test('a schedule is added with its next runs in the time zone of India', async () => {
  const added = await panji.json(
    'schedule',
    'add',
    'goa',
    '--cron',
    '30 2 * * *',
    '--source',
    'mca-companies',
    '--input',
    '/srv/goa.csv',
  )
  expect(added.answer).toMatchObject({ name: 'goa', timezone: 'Asia/Kolkata', last_run: null })
  expect((added.answer as { next_run: string }).next_run).toMatch(/T21:00:00/)
  const names = ((await panji.json('schedules')).answer as { name: string }[]).map((row) => row.name)
  expect(names).toContain('goa')
}, 120_000)

test('files dropped into a watched folder are ingested by one command, oldest first, and the doctor tells of the one that failed', async () => {
  const folder = join(dataDir, 'drop')
  mkdirSync(folder)
  writeFileSync(join(folder, 'b-2025-02-01.csv'), companyFile(12))
  writeFileSync(join(folder, 'a-2025-01-01.csv'), companyFile(10))
  writeFileSync(join(folder, 'c-2025-03-01.csv'), 'no,register\n1,2\n')
  const added = ['schedule', 'add', 'drop', '--cron', '0 0 1 1 *', '--source', 'mca-companies', '--input', folder]
  expect(await panji.json(...added)).toMatchObject({ code: 0, answer: { payload: { input: folder } } })
  expect(await panji.json('schedule', 'run', 'drop')).toMatchObject({ code: 0 })
  const runs = (await panji.json('runs')).answer as { input: string; inserted: number; as_of: string; status: string }[]
  expect(runs.slice(0, 3).toReversed()).toMatchObject([
    { as_of: '2025-01-01', status: 'succeeded', inserted: 10 },
    { as_of: '2025-02-01', status: 'succeeded', inserted: 2 },
    { as_of: '2025-03-01', status: 'failed' },
  ])
  const spool = join(dataDir, 'spool', 'mca-companies')
  expect(readdirSync(join(spool, 'done'))).toHaveLength(2)
  expect(readdirSync(join(spool, 'failed'))).toHaveLength(2)
  expect(readdirSync(folder)).toEqual([])
  const { checks } = (await panji.json('doctor')).answer as { checks: { name: string; ok: boolean; detail: string }[] }
  expect(checks).toContainEqual({
    name: 'scheduled runs',
    ok: false,
    detail: expect.stringMatching(/run \d+ of mca-companies failed: .*c-2025-03-01\.csv, line 1: this is no header/),
  })
  expect(checks).toContainEqual({
    name: 'watched folders',
    ok: true,
    detail: `drop: 0 files to ingest in ${folder}, ingested files are in ${join(dataDir, 'spool')}`,
  })
}, 120_000)
