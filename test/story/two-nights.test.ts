/**
 * “An ordinary night and a bad one” of `docs/operations.md`, lived through at a terminal beside a running instance of the sample world:
 * each schedule of the night is run and seen to have run; then one thing after the other goes wrong, and what the table says to type
 * is typed as it stands. Rows that have no command of Panji's are those of `test/faults`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schedules } from '../../config/schedules.ts'
import { indianDayOf } from '../../src/domain/iso-date.ts'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { panjiHome, runPanjiIn } from '../support/panji-cli.ts'
import { type ProgramOutcome, panjiProgram, runPanji } from '../support/panji-program.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const part = (title: string) => new RegExp(`### ${title}\n(.*?)(?:\n##|$)`, 's').exec(page)?.[1] ?? ''

interface Row {
  readonly first: string
  /** `panji …` of its last column. */
  readonly commands: readonly string[]
}
const rowsOf = (title: string): Row[] =>
  part(title)
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, first = '', ...cells]) => ({
      first,
      commands: [...(cells[1] ?? '').matchAll(/`panji ([^`]+)`/g)].map(([, words = '']) => words),
    }))

const folder = mkdtempSync(join(tmpdir(), 'panji-nights-'))
const home = panjiHome({ LOG_LEVEL: 'info' })
const backups = join(folder, 'backups')
const env = { PANJI_DATA_DIR: home.dataDir, PANJI_BACKUP_DIR: backups, PORT: '0', PANJI_SANDBOX_PORT: '0' }
const panji = panjiProgram(env)
let started: NodeProcess

beforeAll(async () => {
  mkdirSync(backups)
  await laySampleWorld(home.dataDir)
  started = runPanjiIn(home.dataDir, ['start'], { LOG_LEVEL: 'info', PANJI_BACKUP_DIR: backups })
  await started.line('Ctrl-C stops.')
}, 300_000)
afterAll(async () => {
  started.child.kill('SIGINT')
  await started.ended
  home.remove()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

/** At a terminal, with whoever is asked saying yes. Instants are those of India. */
async function typed(text: string, environment: Readonly<Record<string, string>> = env): Promise<ProgramOutcome> {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  keyboard.write('y\n')
  const outcome = await runPanji(text.split(' '), environment, undefined, keyboard)
  expect(outcome.stdout).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/)
  return outcome
}

/** A night has a midnight. */
const today = () => indianDayOf(new Date())
function fileOf(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
async function ingested(content: string): Promise<string> {
  const { answer } = await panji.json('ingest', 'mca-companies', fileOf('goa.csv', content), '--as-of', today())
  return String((answer as { run_id: number }).run_id)
}
let rowsLeft = 23
/** Far fewer rows than the register has, and other bytes each time. */
async function waiting(): Promise<string> {
  rowsLeft -= 3
  return ingested(snapshotText(companies(1, rowsLeft)))
}
const newestRun = async () => ((await panji.json('runs')).answer as { run_id: number; status: string }[])[0]
const rests = (status: string) =>
  expect.poll(async () => (await newestRun())?.status, { timeout: 60_000, interval: 500 }).toBe(status)

let user = ''
let destination = ''
/** The account of the sample world, and one of its CRMs. */
async function know(): Promise<void> {
  const [account] = (await panji.json('account', 'find', '@')).answer as { user_id: string }[]
  user = account?.user_id ?? ''
  const [first] = (await panji.json('destination', 'list', user)).answer as { destination_id: string }[]
  destination = first?.destination_id ?? ''
}

test('an ordinary night: each schedule runs, and is seen to have run where the table says', {
  timeout: 240_000,
}, async () => {
  await know()
  for (const { name } of schedules) {
    expect(await typed(`schedule run ${name}`), name).toMatchObject({ code: 0 })
  }
  const seen = [...new Set(rowsOf('An ordinary night').flatMap(({ commands }) => commands))]
  expect(seen).toContain('doctor')
  const doctor = async () => (await typed('doctor')).stdout
  await expect.poll(doctor, { timeout: 120_000, interval: 1_000 }).toMatch(/^ok +backups: .*its restore succeeded/m)
  expect(await doctor()).toMatch(/^ok +ledger: .*last nightly verification ran/m)
  expect(await doctor()).toMatch(/^ok +audit log: \d+ rows in the chain/m)
  for (const command of seen) {
    const words = command.replace('USER_ID', user).replace('SOURCE', 'mca-companies')
    expect(await typed(words), command).toMatchObject({ code: 0 })
  }
  expect((await typed('jobs dead')).stdout).toContain('no dead letters')
})

interface Trouble {
  /** Makes it. @returns what stands for the words in capitals. */
  readonly make?: () => Promise<Readonly<Record<string, string>>>
  /** What is done between two commands. */
  readonly before?: (command: string) => Promise<Readonly<Record<string, string>>>
  /** By command, what it prints. */
  readonly says?: Readonly<Record<string, RegExp>>
  readonly after?: () => Promise<void>
}

/** By the beginning of a row's first cell. */
const troubles: Readonly<Record<string, Trouble>> = {
  '503 `DATABASE_FULL`': {
    make: async () => ({ ID: await waiting() }),
    says: { 'cancel ID': /cancelled/ },
  },
  'a run needs approval': {
    make: async () => ({ ID: await waiting() }),
    // Of two ways out of a wait the first has ended it.
    async before(command) {
      if (!command.startsWith('discard ')) return {}
      await ingested(snapshotText(companies(1, 50)))
      return { ID: await waiting() }
    },
    says: { 'runs ID': /needs_approval[\s\S]*are absent/, 'preview ID': /would wait for approval/ },
  },
  'a run failed': {
    async make() {
      mkdirSync(join(folder, 'drop'))
      fileOf('drop/wrong.csv', 'name,telephone\nAsha,98\n')
      const add = ['--cron', '0 2 * * *', '--source', 'mca-companies', '--input', join(folder, 'drop/*.csv')]
      expect(await panji.json('schedule', 'add', 'goa', ...add)).toMatchObject({ code: 0 })
      expect(await panji.json('schedule', 'run', 'goa')).toMatchObject({ code: 0 })
      await rests('failed')
      return { ID: String((await newestRun())?.run_id), NAME: 'goa' }
    },
    async before(command) {
      if (command === 'schedule run NAME') fileOf(`drop/goa-${today()}.csv`, snapshotText(companies(1, 60)))
      return {}
    },
    after: () => rests('succeeded'),
    says: { 'runs ID': /HEADER_MISMATCH/, 'logs --run ID': /HEADER_MISMATCH/, 'schedule run NAME': /fetch-source/ },
  },
  'a wrong file was applied': {
    make: async () => ({ ID: await ingested(snapshotText(companies(1, 60, { status: 'Strike Off' }))) }),
    says: { 'undo ID --reason TEXT': /Undid import/ },
  },
  'the oldest job keeps waiting': { says: { doctor: /^ok +worker/m } },
  'dead letters': { says: { 'jobs redrive --all': /redriven/ } },
  'a destination is `broken`': {
    async make() {
      const { answer } = await sandboxSettings()
      return { ID: destination, FILE: fileOf('settings.json', JSON.stringify(answer)) }
    },
    says: { 'destination test ID': /reached|ok/i, 'deliveries retry --destination ID': /retried: +0/ },
  },
  'a command fails with `SCHEMA_BEHIND`': { says: { migrate: /up to date/ } },
  '503 `UNAVAILABLE`, `month_closed`': { says: { 'payments reconcile': /checked/ } },
  'a payment arrived': { says: { 'payments reconcile': /checked/, 'payments show': /event_id/ } },
  'the ledger check fails': {
    make: async () => ({ FILE: join(folder, 'evidence.tar.gz') }),
    says: { 'ledger check': /every invariant holds/, 'backup FILE': /verified: +true/ },
  },
  'the audit log is broken': { says: { 'audit verify': /^ok: +true/m } },
  'a key or a token leaked': {
    async make() {
      expect(await panji.json('operator', 'add', 'asha', '--role', 'operator')).toMatchObject({ code: 0 })
      const [key] = (await panji.json('account', 'key', 'list', user)).answer as { prefix: string }[]
      return { USER_ID: user, PREFIX: key?.prefix ?? '', NAME: 'asha', DAY: today() }
    },
    says: { 'operator revoke NAME': /revoked_at: +\d/, 'secrets rotate': /previous_key_id: +\w/ },
  },
  "the night's backup is missing": {
    make: async () => ({ FILE: join(folder, 'elsewhere.tar.gz') }),
    says: { backup: /restore_verified: +true/, 'backup FILE --verify-restore': /restore_verified: +true/ },
  },
  'the database is lost': {},
}

/** Of the sandbox of the destination, as it prints them to whoever has its token. */
async function sandboxSettings(): Promise<{ readonly answer: unknown }> {
  const [, url = ''] = /Sandbox CRMs\s+(http:\S+)/.exec(started.printed()) ?? []
  const [, token = ''] = /Sandbox token\s+(\S+)/.exec(started.printed()) ?? []
  const list = (await panji.json('destination', 'list', user)).answer as { destination_id: string; type: string }[]
  const crm = list.find((each) => each.destination_id === destination)?.type
  const told = await fetch(`${url}/settings?crm=${crm}`, { headers: { authorization: `Bearer ${token}` } })
  return { answer: await told.json() }
}

const rows = rowsOf('A bad one').filter(({ first, commands }) => first !== 'symptom' && commands.length > 0)

test('every row of a bad night that names a command of Panji is lived through here', () => {
  const known = Object.keys(troubles)
  expect(rows.filter(({ first }) => !known.some((each) => first.startsWith(each)))).toEqual([])
  expect(known.filter((each) => !rows.some(({ first }) => first.startsWith(each)))).toEqual([])
})

test.each(rows.filter(({ first }) => first !== 'the database is lost'))(
  'a bad night, $first: what the table says is typed, and done',
  { timeout: 240_000 },
  async ({ first, commands }) => {
    const [, trouble] = Object.entries(troubles).find(([name]) => first.startsWith(name)) ?? []
    const given = (await trouble?.make?.()) ?? {}
    const said: Record<string, string> = {}
    for (const command of commands) {
      const meant = { ...given, ...(await trouble?.before?.(command)) }
      const words = command.replace(/\b[A-Z_]{2,}\b/g, (word) => meant[word] ?? word)
      const { code, stdout, stderr } = await typed(words)
      expect([command, code, code === 0 ? '' : stderr + stdout]).toEqual([command, 0, ''])
      said[command] = stdout
    }
    for (const [command, pattern] of Object.entries(trouble?.says ?? {}))
      expect(said[command], command).toMatch(pattern)
    await trouble?.after?.()
  },
)

test('a bad night, the database is lost: the backup of the night is the instance again', {
  timeout: 240_000,
}, async () => {
  const { commands = [] } = rows.find(({ first }) => first === 'the database is lost') ?? {}
  expect(commands).toEqual(['restore FILE', 'doctor', 'start'])
  const other = join(folder, 'other')
  mkdirSync(other, { mode: 0o755 })
  const elsewhere = { ...env, PANJI_DATA_DIR: other }
  const restored = await typed(`restore ${join(folder, 'elsewhere.tar.gz')}`, elsewhere)
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/verified: +true/) })
  expect((await typed('doctor', elsewhere)).stdout).toMatch(/^ok +ledger/m)
  const again = runPanjiIn(other, ['start'])
  await again.line('Ctrl-C stops.')
  again.child.kill('SIGINT')
  expect((await again.ended).code).toBe(0)
})
