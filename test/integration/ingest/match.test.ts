import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Matched } from '../../../src/ingest/check/match.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { dropWorkTables, keepAsWorkTable } from '../../../src/ingest/run/work-tables.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { draws, figure } from '../../support/figures.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const compared = useTestDatabase()
const checked = useTestDatabase()
const comparing = useIngest(compared)
const checking = useIngest(checked)

interface Row {
  readonly n: number
  readonly id: string
  readonly name: string
  readonly status: string
  readonly registrar: string
  readonly capital: string
}
/** A row of the register as one of its spellings in a file; `n` is the company. */
const row: fc.Arbitrary<Row> = fc.record({
  n: fc.integer({ min: 1, max: 14 }),
  id: fc.constantFrom('', '', '', 'lower', 'spaced'),
  name: fc.constantFrom('KONKAN CASHEW LIMITED', 'KONKAN CASHEW LIMITED', '  KONKAN CASHEW LIMITED ', 'ZUARI AGRO'),
  status: fc.constantFrom('Active', 'Active', 'Strike Off'),
  registrar: fc.constantFrom('ROC Goa', 'ROC Goa', 'ROC Goa', 'ROC Mumbai'),
  capital: fc.constantFrom('100000', '100000', '1E+5', 'unreadable'),
})
const steady: Row[] = Array.from({ length: 14 }, (_, index) => ({
  n: index + 1,
  id: '',
  name: 'KONKAN CASHEW LIMITED',
  status: 'Active',
  registrar: 'ROC Goa',
  capital: '100000',
}))
interface Step {
  readonly changes: readonly Row[]
  readonly repeats: readonly number[]
  readonly left: readonly number[]
  readonly first: boolean
  readonly mode: 'snapshot' | 'delta'
  readonly day: number
  readonly turned: boolean
  readonly pins: boolean
}
/** Most of the register as it always is, some rows of another kind among them: replaced, added twice, or left out. */
const step: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(row, { maxLength: 5 }),
  repeats: fc.array(fc.integer({ min: 0, max: 13 }), { maxLength: 2 }),
  left: fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 3 }),
  first: fc.boolean(),
  mode: fc.constantFrom<('snapshot' | 'delta')[]>('snapshot', 'snapshot', 'snapshot', 'delta'),
  day: fc.integer({ min: 0, max: 2 }),
  turned: fc.boolean(),
  pins: fc.constantFrom(false, false, false, true),
})

const columns = ['CIN', 'CompanyName', 'CompanyROCcode', 'CompanyCategory', 'CompanyRegistrationdate_date',
  'Registered_Office_Address', 'Listingstatus', 'CompanyStatus', 'nic_code', 'AuthorizedCapital'] // biome-ignore format: as in the file

function cellsOf({ n, id, name, status, registrar, capital }: Row): string[] {
  const cin = `U74999GA2019PTC${String(n).padStart(6, '0')}`
  const spelled = id === 'lower' ? cin.toLowerCase() : id === 'spaced' ? `${cin.slice(0, 6)} ${cin.slice(6)}` : cin
  const address = `"X,PANAJI,North Goa,Goa,40300${(n % 3) + 1}-India"`
  return [
    spelled,
    name,
    registrar,
    'Company limited by shares',
    '2019-05-02',
    address,
    'Unlisted',
    status,
    '74999',
    capital,
  ]
}

function contentOf({ changes, repeats, left, first, turned }: Step, serial: number): string {
  const kept = steady.filter(({ n }) => !left.includes(n))
  const again = repeats.flatMap((index) => kept[index] ?? [])
  const rows = first ? [...changes, ...kept, ...again] : [...again, ...kept, ...changes]
  // A column that no rule reads makes each file new; the order of columns says nothing.
  const lines = [[...columns, 'Batch'], ...rows.map((each) => [...cellsOf(each), String(serial)])]
  return `${lines.map((cells) => (turned ? cells.toReversed() : cells).join(',')).join('\n')}\n`
}

const seen = ({ status, rows_read, inserted, updated, unchanged, closed, rejected, scopes }: RunRecord) => ({
  status,
  rows_read,
  inserted,
  updated,
  unchanged,
  closed,
  rejected,
  scopes: [...(scopes ?? [])].sort(), // biome-ignore format: one fact
})
const rejectsOf = ({ db }: typeof compared, { run_id }: RunRecord) =>
  db.query('SELECT line, code, raw FROM ingest.reject WHERE run_id = $1 ORDER BY line', [run_id])
async function contentsOf({ db }: typeof compared): Promise<unknown> {
  const contents = await registerContents(db)
  contents['registry.company'] = (contents['registry.company'] ?? []).map((each) => ({
    ...(each as object),
    fingerprint: 0,
  }))
  return contents
}

let serial = 0
async function take(
  { ingest, file, dependencies }: typeof comparing,
  database: typeof compared,
  input: Step,
  force: boolean,
) {
  const options = {
    mode: input.mode,
    asOf: `2025-01-${20 + serial - input.day * 3}`,
    force,
  }
  const run = await ingest('mca-companies', file(`step-${serial}.csv`, contentOf(input, serial)), options)
  if (run.status !== 'needs_approval') return run
  await approveRun(database.db, { send: async () => '' }, run.run_id)
  return runSnapshot(dependencies(), run.run_id)
}

const taken = [
  ...['registry.company', 'reference.pincode', 'registry.version'],
  ...['ingest.run', 'ingest.change', 'ingest.scope'],
]

test('a run that leaves out what it knows to be unchanged ends like one that checks every row', async () => {
  let matches = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      serial = 0
      for (const { db } of [compared, checked]) await emptyTables(db, taken)
      for (const each of steps) {
        serial += 1
        if (each.pins) {
          const places = Array.from({ length: serial }, (_, index) => `403001,GOA,PLACE ${index},${index}`)
          const directory = `pincode,state,district,offices\n${places.join('\n')}\n`
          await Promise.all(
            [comparing, checking].map((side) => side.ingest('pincodes', side.file(`pins-${serial}.csv`, directory))),
          )
        }
        const [known, plain] = await Promise.all([
          take(comparing, compared, each, false),
          take(checking, checked, each, true),
        ])
        expect(seen(known)).toEqual(seen(plain))
        expect(await rejectsOf(compared, known)).toEqual(await rejectsOf(checked, plain))
        expect(await contentsOf(compared)).toEqual(await contentsOf(checked))
        if (known.report['matched']) matches += 1
      }
    }),
    { numRuns: draws(25) },
  )
  // The comparison was really made, and not only where nothing was known yet.
  expect(matches).toBeGreaterThan(figure(3, 10))
  expect(await stagingTables(compared.db)).toEqual([])
}, 240_000)

const plain: Step = {
  changes: [],
  repeats: [],
  left: [],
  first: true,
  mode: 'snapshot',
  day: 0,
  turned: false,
  pins: false,
}

test('an unchanged row is neither checked nor written, and says so in the report', async () => {
  await emptyTables(compared.db, taken)
  const file = (name: string, input: Step, batch: number) => comparing.file(name, contentOf(input, batch))
  await comparing.ingest('mca-companies', file('first.csv', plain, 1), { asOf: '2025-03-01' })
  const changes = [{ ...(steady[3] as Row), status: 'Strike Off' }]
  const changed = file('second.csv', { ...plain, left: [4], changes, turned: true }, 2)
  const run = await comparing.ingest('mca-companies', changed, { asOf: '2025-03-02' })
  expect(run).toMatchObject({ status: 'succeeded', updated: 1, unchanged: 13, closed: 0 })
  const { checked: rows, matched } = run.report as { checked: number; matched: Matched }
  expect({ rows, scopes: matched.scopes }).toEqual({ rows: 1, scopes: [{ scope: 'ROC Goa', open: 14, matched: 13 }] })
})

test('rows that stand in a file twice or three times are all checked, and the last of each counts', async () => {
  await emptyTables(compared.db, taken)
  await comparing.ingest('mca-companies', comparing.file('once.csv', contentOf(plain, 5)), { asOf: '2025-03-01' })
  const repeated = comparing.file('repeated.csv', contentOf({ ...plain, repeats: [2, 5, 5] }, 6))
  const run = await comparing.ingest('mca-companies', repeated, { asOf: '2025-03-02' })
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 17, updated: 0, unchanged: 14, rejected: 3, closed: 0 })
  expect(run.report['checked']).toBe(5)
  const rejects = (await rejectsOf(compared, run)) as { readonly line: number; readonly code: string }[]
  expect(rejects.map(({ line, code }) => [line, code])).toEqual([4, 7, 17].map((line) => [line, 'duplicate_in_file']))
})

test('rows that say the same in other words are checked once, and known the next time', async () => {
  await emptyTables(compared.db, taken)
  const changes = [{ ...(steady[3] as Row), status: 'Strike Off' }]
  const before = comparing.file('before.csv', contentOf({ ...plain, left: [4], changes }, 10))
  await comparing.ingest('mca-companies', before, { asOf: '2025-03-02' })
  const spelled = steady.map((each) => ({ ...each, capital: '1E+5' }))
  const said: Step = { ...plain, changes: spelled, left: steady.map(({ n }) => n) }
  const counts: unknown[] = []
  for (const batch of [11, 12]) {
    const path = comparing.file(`spelled-${batch}.csv`, contentOf(said, batch))
    const run = await comparing.ingest('mca-companies', path, { asOf: `2025-04-${batch}` })
    counts.push([run.report['checked'], run.updated, run.unchanged])
  }
  expect(counts[0]).toEqual([14, 1, 13])
  expect(counts[1]).toEqual([0, 0, 14])
  const [history] = await compared.db.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ingest.change WHERE entity = 'company' AND as_of >= '2025-04-12'`,
  )
  expect(history?.rows).toBe(0)
})

test('what a run keeps of a query is planned for parallel workers and written once, whatever its columns are called', async () => {
  await emptyTables(compared.db, taken)
  await comparing.ingest('mca-companies', comparing.file('kept.csv', contentOf(plain, 20)), { asOf: '2025-03-01' })
  const worker = compared.as('panji_worker')
  const planned = async () => {
    const [row] = await compared.db.query<{ planned: number }>(
      'SELECT parallel_workers_to_launch AS planned FROM pg_stat_database WHERE datname = current_database()',
    )
    return row?.planned ?? 0
  }
  const query = `SELECT cin, incorporated_on AS "the ""day""", ARRAY[status] AS list, count(*) AS rows, '{}'::jsonb AS before, NULL AS nothing
                 FROM registry.company GROUP BY 1, 2, 3`
  const before = await planned()
  const [kept, temporary] = await worker.transaction(async (tx) => {
    await tx.execute(`SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
                      SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off`)
    const table = await keepAsWorkTable(tx, 'unmatched', 4711, query)
    await tx.execute('SET LOCAL max_parallel_workers_per_gather = 0')
    const differing = await tx.query(`(${query} EXCEPT TABLE ${table}) UNION ALL (TABLE ${table} EXCEPT ${query})`)
    const tables = await tx.query(`SELECT relname FROM pg_class WHERE relpersistence = 't' AND relkind = 'r'`)
    const [rows] = await tx.query<{ count: number }>(`SELECT count(*) FROM ${table}`)
    await dropWorkTables(tx, 4711, ['unmatched'])
    await tx.query('SELECT pg_stat_force_next_flush()')
    return [{ rows: rows?.count, differing }, tables] as const
  })
  expect(kept).toEqual({ rows: 14, differing: [] })
  expect(temporary).toEqual([])
  expect(await planned()).toBeGreaterThan(before)
})
