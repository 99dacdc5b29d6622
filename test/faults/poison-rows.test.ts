/** Rows that nobody can read, anywhere in a file: each is set aside with its line and reason, and the rest comes in. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gstinCheckDigit } from '../../src/domain/gstin.ts'
import { approveRun, discardRun } from '../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { listRejects } from '../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../support/database.ts'
import { draws } from '../support/figures.ts'
import { registerContents, useIngest } from '../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)

interface Poison {
  /** One physical line, without its end. */
  readonly line: (n: number) => Buffer
  readonly code: string
}
interface Source {
  readonly source: string
  readonly table: string
  readonly key: string
  readonly header: string
  readonly good: (n: number) => string
  readonly keyOf: (n: number) => string
  readonly poison: readonly Poison[]
}

const six = (n: number): string => String(n).padStart(6, '0')
const bytes =
  (line: (n: number) => string, encoding: BufferEncoding = 'utf8') =>
  (n: number) =>
    Buffer.from(line(n), encoding)

const cin = (n: number) => `U74999GA2019PTC${six(n)}`
const company = (n: number, cells: Partial<Record<'id' | 'name' | 'capital' | 'date', string>> = {}): string =>
  `${cells.id ?? cin(n)},${cells.name ?? `"COMPANY ""${n}"", LIMITED"`},ROC Goa,Company limited by shares,Private,${cells.capital ?? '"1,00,000.00"'},1,${cells.date ?? '2019-05-01'},"X ROAD,PANAJI,North Goa,Goa,403001-India",Unlisted,Active,goa,74999`
const companies: Source = {
  source: 'mca-companies',
  table: 'registry.company',
  key: 'cin',
  header:
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code',
  good: (n) => company(n),
  keyOf: cin,
  poison: [
    { code: 'cin_malformed', line: bytes((n) => company(n, { id: cin(n).replace('PTC0', 'PTCO') })) },
    { code: 'cin_malformed', line: bytes((n) => company(n, { id: '' })) },
    { code: 'cin_malformed', line: bytes((n) => company(n, { id: `${cin(n).slice(0, 20)}\0` })) },
    { code: 'cin_malformed', line: bytes((n) => company(n, { id: `${cin(n).slice(0, 20)}\xe9` }), 'latin1') },
    { code: 'cin_malformed', line: bytes((n) => company(n, { id: `${cin(n)}\\.` })) },
    { code: 'amount_unreadable', line: bytes((n) => company(n, { capital: 'ten lakh' })) },
    { code: 'amount_unreadable', line: bytes((n) => company(n, { capital: '1E+999' })) },
    { code: 'date_unreadable', line: bytes((n) => company(n, { date: '2019-02-30' })) },
    { code: 'date_unreadable', line: bytes((n) => company(n, { date: '32/13/2019' })) },
    { code: 'date_ambiguous', line: bytes((n) => company(n, { date: '03/04/2019' })) },
    { code: 'value_missing', line: bytes((n) => company(n, { name: 'N.A.' })) },
    { code: 'column_count', line: bytes((n) => `${cin(n)},TOO SHORT`) },
    { code: 'column_count', line: bytes((n) => `${company(n)},surplus`) },
    { code: 'column_count', line: bytes(() => '\\.') },
    { code: 'column_count', line: bytes((n) => company(n, { name: '"CLOSED BY THE ADDRESS' })) },
    { code: 'quotes', line: bytes((n) => `${cin(n)},"NEVER CLOSED,ROC Goa`) },
    { code: 'record_too_long', line: (n) => Buffer.concat([Buffer.from(`${cin(n)},`), Buffer.alloc(1_100_000, 'x')]) },
  ],
}
const gstin = (n: number): string => {
  const first14 = `27AAAC${String.fromCharCode(65 + (n % 26))}${String(n).padStart(4, '0')}K1Z`
  return first14 + gstinCheckDigit(first14)
}
const wrongCheck = (n: number): string => gstin(n).slice(0, 14) + (gstin(n).endsWith('7') ? '8' : '7')
const taxpayer = (id: string, cells: { readonly date?: string } = {}) =>
  `${id},"NAME, ""QUOTED""",Regular,Active,${cells.date ?? '01/07/2017'}`
const taxpayers: Source = {
  source: 'gst-taxpayers',
  table: 'registry.gst_taxpayer',
  key: 'gstin',
  header: 'gstin,lgnm,dty,sts,rgdt',
  good: (n) => taxpayer(gstin(n)),
  keyOf: gstin,
  poison: [
    { code: 'gstin_malformed', line: bytes((n) => taxpayer(wrongCheck(n))) },
    { code: 'gstin_malformed', line: bytes((n) => taxpayer(wrongCheck(n).replace('K', '5'))) },
    { code: 'gstin_malformed', line: bytes(() => taxpayer("'; DROP TABLE x")) },
    { code: 'date_unreadable', line: bytes((n) => taxpayer(gstin(n), { date: '07/31/2017' })) },
    { code: 'column_count', line: bytes((n) => `${gstin(n)}`) },
    { code: 'quotes', line: bytes((n) => `${gstin(n)},"open,Regular,Active,01/07/2017`) },
  ],
}

interface Planted {
  readonly content: Buffer
  readonly good: readonly string[]
  /** By line: the code of the reject. */
  readonly rejects: readonly (readonly [line: number, code: string])[]
}

/** Each place of the file holds a good row, or the poison of that index. */
function plant(source: Source, places: readonly (number | null)[]): Planted {
  const lines = places.map((poison, n) =>
    poison === null ? Buffer.from(source.good(n)) : (source.poison[poison] ?? missing()).line(n),
  )
  const end = Buffer.from('\n')
  return {
    content: Buffer.concat([Buffer.from(source.header), end, ...lines.flatMap((line) => [line, end])]),
    good: places.flatMap((poison, n) => (poison === null ? [source.keyOf(n)] : [])).toSorted(),
    rejects: places.flatMap((poison, n) =>
      poison === null ? [] : [[n + 2, (source.poison[poison] ?? missing()).code] as const],
    ),
  }
}
const missing = (): never => {
  throw new Error('there is no such poison')
}

let sequence = 0
async function expectQuarantine(source: Source, places: readonly (number | null)[], tolerantOnly: boolean) {
  await database.db.execute(`TRUNCATE ${source.table}, ingest.scope, ingest.change`)
  const { content, good, rejects } = plant(source, places)
  const path = file(`poison-${++sequence}.csv`, content)
  const ended = await ingest(source.source, path, { force: true, deps: { tolerantOnly } })
  const waits = ended.status === 'needs_approval'
  // Where a small file is mostly poison, somebody looks at it first.
  expect(waits).toBe(rejects.length > Math.max(6, places.length / 3))
  if (waits) await approveRun(database.db, queue, ended.run_id)
  const run = waits ? await runSnapshot(dependencies(), ended.run_id) : ended
  const found = await listRejects(database.db, run.run_id)
  expect(found.map(({ line, code }) => [line, code])).toEqual(rejects)
  for (const { message, raw } of found) expect([message.length > 0, raw.length > 0]).toEqual([true, true])
  expect(run).toMatchObject({
    status: 'succeeded',
    rows_read: places.length,
    inserted: good.length,
    updated: 0,
    unchanged: 0,
    rejected: rejects.length,
  })
  const kept = await database.db.query<{ key: string }>(`SELECT ${source.key} AS key FROM ${source.table} ORDER BY 1`)
  expect(kept.map(({ key }) => key)).toEqual(good)
}

test.each([companies, taxpayers])(
  'wherever poison rows of $source stand, each is set aside and every other row comes in',
  async (source) => {
    const place = fc.option(fc.nat(source.poison.length - 1), { nil: null, freq: 3 })
    const everyPoison = source.poison.flatMap((_, index) => [null, index])
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 60 }), fc.boolean(), (places, tolerantOnly) =>
        expectQuarantine(source, [...places, null], tolerantOnly),
      ),
      {
        numRuns: draws(25),
        examples: [
          [everyPoison, false],
          [everyPoison, true],
          [everyPoison.toReversed(), false],
        ],
      },
    )
  },
)

test('a file whose share of poison rows is over the budget applies nothing and waits for an operator', async () => {
  const within = Array.from({ length: 600 }, (_, n) => (n % 5 === 4 ? 0 : null))
  await expectQuarantine(companies, within, false)
  const before = await registerContents(database.db)
  const over = [...within, 0]
  const run = await ingest('mca-companies', file('over.csv', plant(companies, over).content))
  expect(run).toMatchObject({
    status: 'needs_approval',
    rows_read: 601,
    inserted: 0,
    rejected: 121,
    error: { code: 'NEEDS_APPROVAL', reasons: ['121 of 601 records are rejected; at most 20 % expected'] },
  })
  expect(await registerContents(database.db)).toEqual(before)
  expect(await listRejects(database.db, run.run_id)).toHaveLength(121)
  expect(await discardRun(database.db, run.run_id)).toMatchObject({ status: 'discarded' })
  expect(await registerContents(database.db)).toEqual(before)
})
