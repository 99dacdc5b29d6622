/**
 * `docs/operations.md` as its reader types it: every line of its shell blocks, in order, on one instance that began with the
 * sample world. What a line needs to have happened (a file, a run that waits, an order) is prepared below. What it prints is
 * compared with what the page shows of it, and otherwise looked at. Ids and folders of the page stand for those of this instance.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCommands, buildProgram } from '../../src/cli/program.ts'
import { cinOf, companies, snapshotText } from '../support/company-snapshots.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { type ProgramOutcome, panjiProgram } from '../support/panji-program.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { isPrinted, shellBlocksOf, shellLine } from '../support/typed-document.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const blocks = shellBlocksOf(page)

const folder = mkdtempSync(join(tmpdir(), 'panji-operations-'))
const home = panjiHome({ LOG_LEVEL: 'info' })
const panji = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
let started: NodeProcess
let boxes: NodeProcess
let apiUrl = ''

beforeAll(async () => {
  await laySampleWorld(home.dataDir)
  started = home.run('start')
  boxes = home.run('sandbox')
  await started.line('Ctrl-C stops.')
  apiUrl = /API\s+(http:\S+)/.exec(started.printed())?.[1] ?? ''
}, 300_000)
afterAll(async () => {
  for (const { child } of [started, boxes]) child.kill('SIGINT')
  await Promise.all([started.ended, boxes.ended])
  home.remove()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

/** What the page calls by an example, by that example. */
const nextYear = new Date().getFullYear() + 1
const known: Record<string, string> = {
  // Ends of a key and of a grant, which lie ahead of whoever types the page.
  '2027-03-31': `${nextYear}-03-31`,
  '2027-04-01': `${nextYear}-04-01`,
}
const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
const goa = (count: number, rest = '') => snapshotText(companies(1, count)) + rest
const malformed = `U74999GA2019PTC0000x1,BROKEN PRIVATE LIMITED,ROC Goa,Company limited by shares,Private,1,1,2019-05-01,"X,PANAJI,North Goa,Goa,403001-India",Unlisted,Active,goa,74999\n`

async function ingest(name: string, ...options: string[]): Promise<string> {
  const source = name.startsWith('contacts') ? 'contacts' : 'mca-companies'
  const { answer } = await panji.json('ingest', source, join(folder, name), ...options)
  return String((answer as { run_id: number }).run_id)
}

/** A run that waits for approval: far fewer rows than the register has. */
async function waiting(): Promise<string> {
  write('cut.csv', goa(20))
  return ingest('cut.csv', '--as-of', '2025-11-02')
}

/** An order of one company that can be reached, through the API. */
async function order(): Promise<string> {
  write(
    'contacts.csv',
    `entity,identifier,email,mobile,phone,website,origin\ncompany,${cinOf(1)},office@example.test,,,,vendor\n`,
  )
  await ingest('contacts.csv', '--as-of', '2025-10-01')
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    return (await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const login = (await post('/api/auth/login', { api_key: known['API_KEY'] })) as { token: { access_token: string } }
  const items = [{ type: 'company', number: cinOf(1), name: 'COMPANY 1' }]
  const body = { orderName: 'typed', paymentOption: 'credits', items }
  const made = (await post('/api/orders/normal', body, login.token.access_token)) as { _id?: string }
  if (made._id === undefined) throw new Error(`the order answered ${JSON.stringify(made)}`)
  // A plan before the leads are built has nothing to tell.
  const headers = { authorization: `Bearer ${login.token.access_token}` }
  const leads = async () => (await fetch(`${apiUrl}/api/crm/orders/${made._id}/leads`, { headers })).text()
  await expect.poll(leads, { timeout: 60_000 }).toContain('office@example.test')
  return made._id
}

interface Step {
  readonly before?: () => Promise<void> | void
  /** Of standard output, and of standard error after it; where the page shows no answer. */
  readonly says?: RegExp
  readonly after?: (outcome: ProgramOutcome) => void
}

const first = (pattern: RegExp, { stdout }: ProgramOutcome): string => {
  return pattern.exec(stdout)?.[1] ?? `nothing that is ${pattern}`
}
const keep = (name: string, pattern: RegExp) => (outcome: ProgramOutcome) => {
  known[name] = first(pattern, outcome)
}

/** Each line of the page without its comment; a line that is missing here, or no longer on the page, fails. */
const steps: Readonly<Record<string, Step>> = {
  'npx panji sample remove --yes': { says: /removed|taken out/i },
  'npx panji ingest mca-companies goa.csv --as-of 2025-10-01': {
    before: () => write('goa.csv', goa(60, malformed)),
    says: /succeeded/,
    after: keep('12', /run (\d+)/i),
  },
  'npx panji scope list mca-companies': { says: /Goa +2025-10-01/ },
  'npx panji scope lower mca-companies --to 2025-10-01 --reason "the file\'s name was mistyped" --yes': {
    before: async () => {
      write('later.csv', goa(61))
      await ingest('later.csv', '--as-of', '2025-10-20')
    },
    says: /with it 1 record and 1 change/,
  },
  'npx panji runs': { says: /mca-companies/ },
  'npx panji runs 12': { says: /61 read = 60 inserted .* 1 rejected/ },
  'npx panji runs 12 --watch': { says: /succeeded/ },
  'npx panji status': { says: /worker/i },
  'npx panji logs --run 12': { says: /run ended/ },
  'npx panji open': { says: /http:\S+\/console#code=\S{43}/ },
  'npx panji rejects 12': { says: /cin_malformed/ },
  'npx panji rejects 12 --csv > fixed.csv': {
    says: /^CIN,.*line,code,message,raw/,
    after: ({ stdout }) => write('fixed.csv', stdout.replace('U74999GA2019PTC0000x1', cinOf(99))),
  },
  'npx panji rejects 12 --code cin_malformed': { says: /U74999GA2019PTC0000x1/ },
  'npx panji ingest mca-companies fixed.csv --mode delta --as-of 2025-10-01': { says: /succeeded[\s\S]*1/ },
  'npx panji quality mca-companies': { says: /2025-10-01 +61 +1 / },
  'npx panji ingest mca-companies goa.csv --as-of 2025-11-01 --dry-run': {
    before: () =>
      write('goa.csv', snapshotText([...companies(1, 60), { n: 61, status: 'Dormant' }, ...companies(62, 63)])),
    says: /previewed/,
    after: keep('12', /run (\d+)/i),
  },
  'npx panji preview 12': { says: /inserted/ },
  'npx panji cancel 12 --yes': {
    before: async () => {
      known['12'] = await waiting()
    },
    says: /cancelled/,
  },
  'npx panji undo 12 --reason "the file of another month" --yes': {
    before: async () => {
      write('other.csv', snapshotText(companies(1, 64, { status: 'Strike Off' })))
      known['12'] = await ingest('other.csv', '--as-of', '2025-11-03')
    },
    says: /succeeded/,
  },
  "npx panji schedule add goa --cron '30 2 * * *' --source mca-companies --input https://example.in/goa.csv": {
    says: /next_run|next run/,
  },
  'npx panji schedules': { says: /goa +30 2/ },
  'npx panji schedule run goa': { says: /fetch-source/ },
  'npx panji schedule pause goa': { says: /paused/ },
  "npx panji schedule add gst-drop --cron '*/5 * * * *' --source gst-taxpayers --input '/srv/panji/gst/*.csv.gz'": {
    says: /gst-drop/,
  },
  'npx panji account create --email buyer@example.com --plan premium --credits 100': {
    says: /panji_\w{43}/,
    after: (outcome) => {
      keep('USER_ID', /user_id: +([0-9a-f-]{36})/)(outcome)
      keep('API_KEY', /(panji_\w{43})/)(outcome)
    },
  },
  'npx panji account grant USER_ID --dataset gst --states Goa,Maharashtra --from 2026-01-01': { says: /Maharashtra/ },
  'npx panji account grant USER_ID --dataset gst --states Kerala --anchored --expires 2027-03-31 --name "Kerala, a year"':
    { says: /Kerala/ },
  'npx panji account grants USER_ID': { says: /Kerala, a year/ },
  'npx panji account find buyer@': { says: /buyer@example\.com/ },
  'npx panji account plan USER_ID free': { says: /free/ },
  'npx panji account credits USER_ID 50 --reference invoice-2026-17': { says: /150/ },
  'npx panji account suspend USER_ID --yes': {
    says: /suspended_at: +\d/,
  },
  'npx panji account invite buyer@example.com ravi@example.com --role buyer': { says: /\/app#code=[\w-]{43}/ },
  'npx panji account link buyer@example.com ravi@example.com': { says: /\/app#code=[\w-]{43}/ },
  'npx panji account people buyer@example.com': { says: /ravi@example\.com +ravi +buyer +invited/ },
  'npx panji account key create buyer@example.com --name crm --scopes read,deliver --expires 2027-03-31': {
    before: async () => {
      await panji.json('account', 'unsuspend', known['USER_ID'] ?? '')
    },
    says: /panji_\w{43}/,
    after: keep('panji_Ab3d', /(panji_\w{4})\w{39}/),
  },
  'npx panji account key create buyer@example.com --replaces panji_Ab3d --overlap-hours 72': { says: /panji_\w{43}/ },
  'npx panji account key list buyer@example.com': { says: /crm/ },
  'npx panji account key revoke buyer@example.com panji_Ab3d --yes': { says: /revoked/ },
  'npx panji destination add USER_ID --type salesforce --name CRM --settings salesforce.json': {
    before: async () => {
      const { salesforce } = JSON.parse(await boxes.line('{')) as { salesforce: { settings: object } }
      write('salesforce.json', JSON.stringify(salesforce.settings))
    },
    says: /CRM/,
    after: keep('DESTINATION_ID', /destination_id: +([0-9a-f-]{36})/),
  },
  'npx panji destination test DESTINATION_ID': { says: /ok|reach/i },
  'npx panji push ORDER_ID --destination DESTINATION_ID --dry-run': {
    before: async () => {
      known['ORDER_ID'] = await order()
    },
    says: /(?:created|unchanged): +1/,
  },
  'npx panji push ORDER_ID --destination DESTINATION_ID': { says: /(?:created|unchanged): +1/ },
  'npx panji operator add asha --role operator': { says: /token/ },
  'npx panji operator list': { says: /asha/ },
  'npx panji operator revoke asha --yes': { says: /revoked/ },
  "npx panji suppress add --email asha@example.in --mobile '98123 45678' --reason 'asked by letter' --reference OBJ-17":
    { says: /2/ },
  'npx panji suppress add --file objections.txt': {
    before: () => write('objections.txt', 'din 00012345\n'),
    says: /1/,
  },
  'npx panji suppress list': { says: /OBJ-17/ },
  'npx panji suppress remove --email asha@example.in --yes': { says: /1/ },
  'npx panji audit list --kind reading --subject 00012345': { says: /^/ },
  'npx panji audit verify': { says: /ok/ },
  'npx panji audit export audit-2026.jsonl --from 2026-01-01 --to 2026-12-31': { says: /rows|\d/ },
  'npx panji audit breach --since 2026-11-01 --credential panji_Ab3d': { says: /^/ },
  'npx panji backup /var/backups/panji-2026-11-21.tar.gz --verify-restore': {
    before: () => void mkdirSync(join(folder, 'var/backups'), { recursive: true }),
    says: /restore_verified: +true/,
  },
  'npx panji doctor': { says: /ok +ledger/ },
  'npx panji jobs dead': { says: /no dead letters/ },
  'npx panji payments show': { says: /event_id/ },
  'npx panji deliveries list --outcome rejected': { says: /delivery/ },
  'npx panji ledger check': { says: /every invariant holds/ },
  'npx panji jobs redrive --all': { says: /redriven: 0/ },
  'PANJI_BACKUP_DIR=/var/backups/panji npx panji backup': { says: /restore_verified: +true/ },
  'PANJI_DATA_DIR=/srv/panji/restored npx panji restore /var/backups/panji-2026-11-21.tar.gz': {
    before: () => void mkdirSync(join(folder, 'srv/panji/restored'), { recursive: true, mode: 0o755 }),
    says: /rows|tables/,
  },
}

/** What the page shows of an answer, with the ids and folders of this instance. */
function shownHere(shown: string): string {
  const ids = Object.entries(known).filter(([name]) => name !== 'API_KEY')
  const replaced = ids.reduce((text, [name, value]) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), value), shown)
  return replaced.replace(/(?<![\w/])\/(?:srv|var)\//g, (path) => join(folder, path))
}

/** A word of the page as it is typed here. */
function here(word: string): string {
  const value = known[word]
  if (value !== undefined) return value
  if (/^\/(?:srv|var)\//.test(word)) return join(folder, word)
  return /^[\w-]+\.(?:csv|json|jsonl|txt)$/.test(word) ? join(folder, word) : word
}

test('every line of the page does what the page says', { timeout: 600_000 }, async () => {
  const told: string[] = []
  const faults: string[] = []
  for (const { lines, shown } of blocks) {
    const answers = new Map(shown)
    for (const line of lines) {
      const { text, env, words, into } = shellLine(line)
      if (words[0] === 'mkdir') {
        mkdirSync(here(words.at(-1) ?? ''), { recursive: true })
        continue
      }
      const step = steps[text]
      if (!step) throw new Error(`say in this file what this line of the page does: ${text}`)
      told.push(text)
      await step.before?.()
      expect(words.slice(0, 2)).toEqual(['npx', 'panji'])
      const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]))
      const outcome = await panjiProgram({ PANJI_DATA_DIR: home.dataDir, ...variables }).run(
        ...words.slice(2).map(here),
      )
      if (into !== undefined) write(into, outcome.stdout)
      step.after?.(outcome)
      // People read instants in Indian time.
      if (/\d{4}-\d\d-\d\dT\d\d:\d\d/.test(outcome.stdout)) faults.push(`${text} shows an instant as programs read it`)
      const said = `${outcome.stdout}\n${outcome.stderr}`
      const answer = answers.get(text)
      answers.delete(text)
      const isSo = answer === undefined ? step.says?.test(said) : isPrinted(outcome.stdout, shownHere(answer))
      if (outcome.code !== 0 || isSo !== true)
        faults.push(`${text} ended with ${outcome.code}:\n${said}\n${answer ?? ''}`)
    }
    faults.push(...[...answers.keys()].map((text) => `an answer is shown for what is not typed: ${text}`))
  }
  expect(faults).toEqual([])
  expect(Object.keys(steps).filter((text) => !told.includes(text))).toEqual([])
})

test('each block of commands is followed by how to see that they worked', () => {
  const silent = blocks.filter(({ shown }) => shown.size === 0).map(({ lines }) => lines.at(-1))
  expect(silent).toEqual([])
})

test('an answer that differs from what is shown is noticed', () => {
  const shown = 'run 7: succeeded\n  …\n  rows   3 read\n…'
  expect(isPrinted('run 7: succeeded\n  file a\n  rows 3 read\nend\n', shown)).toBe(true)
  expect(isPrinted('run 7: succeeded\n  rows 3 read\n', shown)).toBe(true)
  expect(isPrinted('run 7: succeeded\n  file a\n  rows 4 read\n', shown)).toBe(false)
  expect(isPrinted('run 7: failed\n  rows 3 read\n', shown)).toBe(false)
  expect(isPrinted('a line more\nrun 7: succeeded\n  rows 3 read\n', shown)).toBe(false)
})

test('commands that the text names exist, with the options that it gives them', async () => {
  const program = await buildProgram(async () => {})
  const byPath = new Map(
    allCommands(program).map((command) => {
      const words: string[] = []
      for (let at: typeof command | null = command; at?.parent; at = at.parent) words.unshift(at.name())
      return [words.join(' '), command]
    }),
  )
  const named = [...page.replace(/```.*?```/gs, '').matchAll(/`(?:npx )?panji ([a-z][^`]*)`/g)].map(
    ([, text = '']) => text,
  )
  const unknown = named.filter((text) => {
    const words = text.split(/\s+/)
    const paths = [3, 2, 1].map((count) => words.slice(0, count).join(' '))
    const command = paths.map((path) => byPath.get(path.split('|')[0] ?? '')).find((found) => found !== undefined)
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/[^a-z-]/g, ''))
    return (
      !command ||
      options.some(
        (option) => !command.options.some(({ long }) => long === option || long === `--no-${option.slice(2)}`),
      )
    )
  })
  expect(named.length).toBeGreaterThan(30)
  expect(unknown).toEqual([])
})
