/** The counts of a register are what count(*) says of it, whoever wrote it and how; and so are the totals that are summed from them. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { addSuppressions, removeSuppressions } from '../../../src/access/suppressions.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { removeSample } from '../../../src/ingest/after/remove-sample.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { checkCounts, recount } from '../../../src/registry/counts/recount.ts'
import { readFeed } from '../../../src/registry/feed/read-feed.ts'
import { readSummary } from '../../../src/registry/feed/read-summary.ts'
import { filterDirectors } from '../../../src/registry/filters.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { type CompanyStep, companyFile, companySteps, dayOf } from '../../support/company-history.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws, figure } from '../../support/figures.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup

beforeEach(() => emptyRegisters(database.db))

async function miscounted(): Promise<unknown[]> {
  const found = []
  for (const dataset of entityTypes) {
    found.push(...(await database.db.query('SELECT * FROM feed.miscounted($1)', [dataset])))
    found.push(...(await database.db.query('SELECT * FROM feed.miscounted_industries($1)', [dataset])))
  }
  return found
}

async function counted(dataset: string): Promise<number> {
  const [row] = await database.db.query<{ records: number }>(
    `SELECT coalesce(sum(records), 0)::bigint AS records FROM feed.record_count WHERE dataset = $1 AND grain = 'year'`,
    [dataset],
  )
  return row?.records ?? 0
}

const days = [
  '2024-01-31',
  '2024-02-01',
  '2024-02-29',
  '2024-03-01',
  '2025-01-01',
  '2023-12-31',
  '2021-05-06',
  null,
] as const
const states = ['Goa', 'Kerala', null] as const
const statuses = ['Active', 'Struck Off', 'active', null] as const
const kinds = ['Company', 'LLP'] as const
const company = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  day: fc.constantFrom(...days),
  state: fc.constantFrom(...states),
  status: fc.constantFrom(...statuses),
  kind: fc.constantFrom(...kinds),
  closes: fc.boolean(),
})
const cin = (n: number) => `U85100GA2022PTC${String(n).padStart(6, '0')}`

/** One statement each, as ingest, an undo or an operator writes them: of many rows, of both kinds at once, of none. */
const statements = fc.oneof(
  fc.record({ sql: fc.constant('write' as const), rows: fc.uniqueArray(company, { selector: ({ n }) => n }) }),
  fc.record({
    sql: fc.constantFrom('close' as const, 'delete' as const, 'reopen' as const),
    state: fc.constantFrom(...states),
  }),
  fc.record({ sql: fc.constant('roll back' as const), rows: fc.uniqueArray(company, { selector: ({ n }) => n }) }),
  fc.record({ sql: fc.constant('truncate' as const) }),
)
/** Of enough rows that something is found. */
const full = fc.record({
  sql: fc.constant('write' as const),
  rows: fc.uniqueArray(company, { minLength: 10, selector: ({ n }) => n }),
})
type Statement = typeof statements extends fc.Arbitrary<infer T> ? T : never

const writeRows = `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (cin text, day date, state text, status text, kind text, closed date)
), updated AS (
  UPDATE registry.company c
  SET incorporated_on = day, state = g.state, status = g.status, company_type = kind, closed_on = closed
  FROM given g WHERE g.cin = c.cin
)
INSERT INTO registry.company (cin, name, name_key, company_type, incorporated_on, state, status, closed_on, first_run_id, last_run_id, as_of)
SELECT cin, cin, cin, kind, day, state, status, closed, 1, 1, '2025-01-01' FROM given g
WHERE NOT EXISTS (SELECT FROM registry.company c WHERE c.cin = g.cin)`

async function perform(statement: Statement): Promise<void> {
  const { db } = database
  switch (statement.sql) {
    case 'write':
    case 'roll back': {
      const rows = statement.rows.map(({ n, closes, ...row }) => ({
        ...row,
        cin: cin(n),
        closed: closes ? '2025-02-01' : null,
      }))
      const written = db.transaction(async (tx) => {
        await tx.execute(writeRows, [JSON.stringify(rows)])
        if (statement.sql === 'roll back') throw new Error('rolled back')
      })
      await (statement.sql === 'write' ? written : expect(written).rejects.toThrow('rolled back'))
      return
    }
    case 'close':
      await db.execute(`UPDATE registry.company SET closed_on = '2025-02-01' WHERE state IS NOT DISTINCT FROM $1`, [
        statement.state,
      ])
      return
    case 'reopen':
      await db.execute(`UPDATE registry.company SET closed_on = NULL WHERE state IS NOT DISTINCT FROM $1`, [
        statement.state,
      ])
      return
    case 'delete':
      await db.execute('DELETE FROM registry.company WHERE state IS NOT DISTINCT FROM $1', [statement.state])
      return
    case 'truncate':
      await db.execute('TRUNCATE registry.company')
  }
}

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
const day = fc.constantFrom(
  '2022-12-31',
  '2024-01-01',
  '2024-01-31',
  '2024-02-01',
  '2024-02-15',
  '2024-02-29',
  '2024-03-01',
  '2024-12-31',
  '2025-01-02',
)
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 1 })
const scope = fc.record({
  states: nullable(fc.uniqueArray(fc.constantFrom('Goa', 'Kerala'), { minLength: 1 })),
  districts: fc.constant(null),
  pincodes: fc.constant(null),
  from: nullable(day),
  to: nullable(day),
})
const question = fc.record({
  today: fc.oneof(day, fc.constant('2100-01-01')),
  scopes: fc.array(scope, { minLength: 1, maxLength: 3 }),
  from: rarely(day),
  to: rarely(day),
  state: rarely(fc.constantFrom('Goa', 'Kerala')),
  statuses: rarely(fc.constant<readonly string[]>(['active'])),
  businessTypes: rarely(fc.constant<readonly string[]>(['llp'])),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** Row by row, in words of its own. */
async function matches({ today, scopes, from, to, state, statuses, businessTypes }: Question) {
  const rows = await database.db.query<{ day: string; state: string | null; status: string | null; kind: string }>(
    `SELECT incorporated_on AS day, state, status, company_type AS kind FROM registry.company
     WHERE closed_on IS NULL AND incorporated_on IS NOT NULL`,
  )
  const within = (
    row: (typeof rows)[number],
    states: readonly string[] | null,
    first?: string | null,
    last?: string | null,
  ) =>
    (states === null || (row.state !== null && states.includes(row.state))) &&
    (!first || row.day >= first) &&
    (!last || row.day <= last)
  return rows.filter(
    (row) =>
      scopes.some((each) => within(row, each.states, each.from, each.to)) &&
      row.day <= today &&
      within(row, state === undefined ? null : [state], from, to) &&
      (statuses === undefined || statuses.includes(row.status?.toLowerCase() ?? '')) &&
      (businessTypes === undefined || businessTypes.includes(row.kind.toLowerCase())),
  )
}

test('whatever statements write a register, its counts and the totals and summaries of a feed are those of its rows', async () => {
  const { db } = database
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(statements, { minLength: 3, maxLength: 8 }),
      full,
      fc.array(question, { minLength: 4, maxLength: 8 }),
      async (all, last, asked) => {
        await emptyRegisters(db)
        for (const statement of all) {
          await perform(statement)
          expect(await miscounted()).toEqual([])
        }
        await perform(last)
        await raiseVersion(db, 'company')
        for (const each of asked) {
          const rows = await matches(each)
          found += rows.length
          const { total, data } = await readFeed({ ...db, identity: {} }, 'company', { ...each, page: 1, limit: 100 })
          expect([total, data.length]).toEqual([rows.length, rows.length])
          if (each.statuses || each.businessTypes) continue
          const window = { ...each, from: each.from ?? '2000-01-01', to: each.to ?? '2100-01-01' }
          const summary = await readSummary(db, 'company', window)
          expect(summary.every((cell) => cell.total > 0)).toBe(true)
          expect(summary.reduce((sum, cell) => sum + cell.total, 0)).toBe(rows.length)
        }
      },
    ),
    { numRuns: draws(25) },
  )
  expect(found).toBeGreaterThan(figure(15, 50))
})

const comparison = fc.oneof(
  fc.record({ op: fc.constantFrom('==', '!=', '>', '>=', '<', '<='), day }).map(({ op, day }) => `${op} '${day}'`),
  fc
    .tuple(day, day)
    .map((days) => days.toSorted())
    .map(([low, high]) => `BETWEEN '${low}' AND '${high}'`),
  fc.tuple(day, day).map((listed) => `IN ['${listed.join("', '")}']`),
  fc.constantFrom('IS NULL', 'IS NOT NULL'),
)
const condition = fc.oneof(
  fc.constantFrom(`State == 'Goa'`, `State IS NULL`, `llpStatus != 'Active'`, `companyType == 'LLP'`),
  comparison.map((compared) => `dateOfIncorporation ${compared}`),
)
/** A query, and the same of a row of the register. */
const query = fc
  .array(fc.record({ condition, negated: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .chain((terms) =>
    fc
      .constantFrom(' AND ', ' OR ')
      .map((joint) => terms.map((term) => (term.negated ? `NOT (${term.condition})` : term.condition)).join(joint)),
  )

test('whatever days a query of the screener compares with, its total is that of its pages', async () => {
  const { db } = database
  let found = 0
  await fc.assert(
    fc.asyncProperty(full, fc.array(query, { minLength: 8, maxLength: 12 }), async (last, queries) => {
      await emptyRegisters(db)
      await perform(last)
      await raiseVersion(db, 'company')
      for (const each of queries) {
        const asked = { type: 'company', page: 1, limit: 100 } as const
        const { total, results } = await runScreener({ ...db, identity: {} }, { ...asked, query: each })
        // No count knows identifiers: the same records are counted one by one.
        const byRow = await runScreener({ ...db, identity: {} }, { ...asked, query: `(${each}) AND CIN IS NOT NULL` })
        expect([each, total, results.length]).toEqual([each, byRow.total, byRow.total])
        found += total
      }
    }),
    { numRuns: draws(15) },
  )
  expect(found).toBeGreaterThan(figure(15, 50))
})

test('a change of status moves the counts of its month and of its year, and writes none of a day', async () => {
  const { db } = database
  const rows = [1, 2, 3].map(
    (n) =>
      ({
        n,
        day: '2024-02-29',
        state: 'Goa',
        status: statuses[n] ?? null,
        kind: 'LLP',
        closes: false,
      }) as const,
  )
  await perform({ sql: 'write', rows })
  const cells = () =>
    db.query<{ grain: string; status: string | null; records: number; written: string }>(
      'SELECT grain, status, records, xmin::text AS written FROM feed.record_count WHERE records <> 0 ORDER BY grain, status',
    )
  const before = await cells()
  expect(before.map(({ grain, records }) => [grain, records])).toEqual([
    ['day', 3],
    ...['month', 'month', 'month', 'year', 'year', 'year'].map((grain) => [grain, 1]),
  ])
  await db.execute(`UPDATE registry.company SET status = 'Strike Off'`)
  const after = await cells()
  expect(after.map(({ grain, status, records }) => [grain, status, records])).toEqual([
    ['day', null, 3],
    ['month', 'Strike Off', 3],
    ['year', 'Strike Off', 3],
  ])
  expect(after[0]).toEqual(before[0])
})

async function applied({ mode, ...step }: CompanyStep): Promise<RunRecord> {
  const run = await ingest('mca-companies', setup.file('step.csv', companyFile({ mode, ...step })), {
    asOf: dayOf(step.day),
    mode,
    force: true,
  })
  if (run.status !== 'needs_approval') return run
  await approveRun(database.db, queue, run.run_id)
  return runSnapshot(dependencies(), run.run_id)
}

test('imports, closures, undo and the removal of the sample leave counts that are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(companySteps, fc.nat(), fc.boolean(), async (steps, choice, isSample) => {
      await emptyRegisters(database.db)
      const runs: RunRecord[] = []
      for (const step of steps) {
        runs.push(await applied(step))
        expect(await miscounted()).toEqual([])
      }
      const undone = runs[choice % runs.length]?.run_id ?? 0
      const asked = { runId: undone, through: true, reason: 'the wrong file', requestedBy: 'operator' }
      await runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
      expect(await miscounted()).toEqual([])
      if (!isSample) return
      await database.db.execute(`UPDATE ingest.run SET requested_by = 'sample'`)
      await database.db.transaction((tx) => removeSample(tx, queue))
      expect([await miscounted(), await counted('company')]).toEqual([[], 0])
    }),
    { numRuns: 8 },
  )
}, 60_000)

test('a first load beside the register is counted, and so is what comes after it', async () => {
  for (const [source, dataset, name] of [
    ['mca-companies', 'company', 'mca-companies-2023.csv'],
    ['gst-taxpayers', 'gst', 'gst-taxpayers.csv'],
    ['mca-directors', 'director', 'mca-directors.csv'],
  ] as const) {
    const text = readFileSync(registryFixture(name), 'latin1')
    const first = await ingest(source, setup.file(name, Buffer.from(text, 'latin1')), {
      asOf: '2025-01-01',
      force: true,
      mode: 'delta',
      deps: { shadowTableFrom: 0, db: database.as('panji_worker') },
    })
    const run = first.status === 'needs_approval' ? await approved(first) : first
    expect(run.status).toBe('succeeded')
    expect([dataset, await counted(dataset)]).toEqual([dataset, run.inserted])
    await database.db.execute(`UPDATE ${tableOf[dataset]} SET state = 'Elsewhere'`)
  }
  expect(await miscounted()).toEqual([])
})

test('counts that somebody wrote past are reported, and counted anew', async () => {
  const { db } = database
  await perform({
    sql: 'write',
    rows: [1, 2, 3].map((n) => ({ n, day: '2024-02-29', state: 'Goa', status: null, kind: 'LLP', closes: false })),
  })
  const found = async () => (await checkCounts(db)).find(({ dataset }) => dataset === 'company')
  expect(await found()).toEqual({ dataset: 'company', records: 3, differing: 0 })
  await db.transaction((tx) =>
    tx.execute(`SET LOCAL session_replication_role = replica; DELETE FROM registry.company WHERE cin = '${cin(1)}'`),
  )
  // The day, the month, the year and the industry of it.
  expect(await found()).toEqual({ dataset: 'company', records: 2, differing: 4 })
  expect((await recount(db)).map(({ differing }) => differing)).toContain(4)
  expect(await found()).toEqual({ dataset: 'company', records: 2, differing: 0 })
  expect(await miscounted()).toEqual([])
})

test('a director who objected is in no total from the objection to its withdrawal', async () => {
  const { db } = database
  await setup.ingest('mca-directors', registryFixture('mca-directors.csv'), { asOf: '2025-01-01', force: true })
  const [director] = await db.query<{ din: string; state: string }>(
    'SELECT din, state FROM registry.director WHERE approved_on IS NOT NULL AND state IS NOT NULL ORDER BY din LIMIT 1',
  )
  const { din = '', state = '' } = director ?? {}
  const everything = { states: null, districts: null, pincodes: null, from: '2000-01-01', to: null }
  const totals = async () => [
    (await readFeed(db, 'director', { scopes: [everything], today: '2100-01-01', state, page: 1, limit: 100 })).total,
    (await filterDirectors(db, { state, page: 1, limit: 100 })).total,
    (
      await readSummary(db, 'director', {
        scopes: [everything],
        today: '2100-01-01',
        state,
        from: '1990-01-01',
        to: '2030-01-01',
      })
    ).reduce((sum, { total }) => sum + total, 0),
  ]
  const before = await totals()
  expect(Math.min(...before)).toBeGreaterThan(0)
  const objections = [{ kind: 'din' as const, value: din }]
  await db.transaction((tx) => addSuppressions(tx, queue, { objections, actor: 'operator' }))
  expect(await totals()).toEqual(before.map((total) => total - 1))
  expect(await miscounted()).toEqual([])
  await db.transaction((tx) => removeSuppressions(tx, { objections }, 'operator'))
  expect(await totals()).toEqual(before)
})

const tableOf = { company: 'registry.company', gst: 'registry.gst_taxpayer', director: 'registry.director' } as const

async function approved({ run_id }: RunRecord): Promise<RunRecord> {
  await approveRun(database.db, queue, run_id)
  return runSnapshot({ ...dependencies(), shadowTableFrom: 0 }, run_id)
}
