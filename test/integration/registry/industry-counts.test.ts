/** The counts by industry are what a look at each row says of it, whoever wrote the register and how. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { recount } from '../../../src/registry/counts/recount.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
beforeEach(() => emptyRegisters(database.db))

type Cells = ReadonlyMap<string, number>

/** What is kept: of each cell with records, how many. */
async function kept(): Promise<Cells> {
  const rows = await database.db.query<{ cell: string; records: number }>(
    `SELECT concat_ws('|', dataset, coalesce(state, '-'), coalesce(status, '-'), coalesce(industry, '-')) AS cell, records
     FROM feed.industry_count WHERE records <> 0`,
  )
  return new Map(rows.map(({ cell, records }) => [cell, records]))
}

interface Held {
  readonly dataset: string
  readonly state: string | null
  readonly status: string | null
  /** Of a company the words alone; of a GST registration its codes. */
  readonly codes: readonly (string | null)[]
}

/** The same from the rows, one by one, in words of its own. */
async function found(): Promise<Cells> {
  const rows = await database.db.query<Held>(
    `SELECT 'company' AS dataset, state, status, ARRAY[nic_description] AS codes FROM registry.company WHERE closed_on IS NULL
     UNION ALL SELECT 'gst', state, status, hsn_codes FROM registry.gst_taxpayer WHERE closed_on IS NULL`,
  )
  const cells = new Map<string, number>()
  for (const { dataset, state, status, codes } of rows) {
    const headings = codes.flatMap((code) => (code !== null && code.length > 3 ? [code.slice(0, 4)] : []))
    for (const industry of dataset === 'gst' ? new Set(headings) : codes) {
      const cell = [dataset, state ?? '-', status ?? '-', industry ?? '-'].join('|')
      cells.set(cell, (cells.get(cell) ?? 0) + 1)
    }
    if (dataset !== 'gst') continue
    for (const code of new Set(codes)) {
      const cell = ['gst_code', state ?? '-', status ?? '-', code ?? '-'].join('|')
      cells.set(cell, (cells.get(cell) ?? 0) + 1)
    }
  }
  return cells
}

const expectKept = async () => expect(await kept()).toEqual(await found())

const record = fc.record({
  n: fc.integer({ min: 1, max: 8 }),
  state: fc.constantFrom('Goa', 'Kerala', null),
  status: fc.constantFrom('Active', 'Cancelled', null),
  words: fc.constantFrom('Growing of cereals', 'Growing of cashew', null),
  codes: fc.array(fc.constantFrom('8471', '847130', '84714100', '0902', '12', '0902 '), { maxLength: 4 }),
  closed: fc.constantFrom(null, null, '2025-02-01'),
})
const rows = fc.uniqueArray(record, { selector: ({ n }) => n, minLength: 1 })
/** One statement each, over both registers in turn. */
const statements = fc.oneof(
  fc.record({ kind: fc.constantFrom('write' as const, 'write' as const, 'roll back' as const), rows }),
  fc.record({ kind: fc.constantFrom('close' as const, 'reopen' as const, 'correct' as const, 'delete' as const) }),
  fc.record({ kind: fc.constantFrom('truncate' as const, 'recount' as const) }),
)
type Statement = typeof statements extends fc.Arbitrary<infer T> ? T : never

const tables = ['registry.company', 'registry.gst_taxpayer'] as const
const given = `given AS (SELECT * FROM jsonb_to_recordset($1::jsonb)
  AS g (n int, state text, status text, words text, codes text[], closed date))`
const writes = {
  'registry.company': `WITH ${given}
    INSERT INTO registry.company (cin, name, name_key, company_type, state, status, nic_description, closed_on, first_run_id, last_run_id, as_of)
    SELECT 'U85100GA2022PTC00000' || n, 'A', 'a', 'Company', state, status, words, closed, 1, 1, '2025-01-01' FROM given
    ON CONFLICT (cin) DO UPDATE SET state = excluded.state, status = excluded.status, nic_description = excluded.nic_description,
      closed_on = excluded.closed_on`,
  'registry.gst_taxpayer': `WITH ${given}
    INSERT INTO registry.gst_taxpayer (gstin, kind, name_key, state, status, hsn_codes, closed_on, first_run_id, last_run_id, as_of)
    SELECT '30AAACH847' || n || 'F1Z5', 'normal', 'a', state, status, codes, closed, 1, 1, '2025-01-01' FROM given
    ON CONFLICT (gstin) DO UPDATE SET state = excluded.state, status = excluded.status, hsn_codes = excluded.hsn_codes,
      closed_on = excluded.closed_on`,
} as const
const changes = {
  close: (table: string) => `UPDATE ${table} SET closed_on = '2025-02-01' WHERE state = 'Goa'`,
  reopen: (table: string) => `UPDATE ${table} SET closed_on = NULL WHERE state = 'Goa'`,
  correct: (table: string) => `UPDATE ${table} SET state = 'Kerala', status = upper(status)`,
  delete: (table: string) => `DELETE FROM ${table} WHERE state IS NULL`,
  truncate: (table: string) => `TRUNCATE ${table}`,
} as const

async function perform(statement: Statement): Promise<void> {
  const { db } = database
  if (statement.kind === 'recount') {
    await recount(db)
    return
  }
  for (const table of tables) {
    if (!('rows' in statement)) {
      await db.execute(changes[statement.kind](table))
      continue
    }
    const written = db.transaction(async (tx) => {
      await tx.execute(writes[table], [JSON.stringify(statement.rows)])
      if (statement.kind === 'roll back') throw new Error('rolled back')
    })
    await (statement.kind === 'write' ? written : expect(written).rejects.toThrow('rolled back'))
  }
}

test('whatever statements write a register, each industry has the records that are in it, by state and status', async () => {
  let cells = 0
  await fc.assert(
    fc.asyncProperty(fc.array(statements, { minLength: 3, maxLength: 9 }), async (all) => {
      await emptyRegisters(database.db)
      for (const statement of all) {
        await perform(statement)
        await expectKept()
        cells += (await kept()).size
      }
    }),
    { numRuns: draws(40) },
  )
  expect(cells).toBeGreaterThan(100)
})

test('counts by industry that somebody wrote past are counted anew, and those of the other register stay', async () => {
  const one = { state: 'Goa', status: 'Active', words: null, codes: ['0902'], closed: null } as const
  const rows = [1, 2].map((n) => ({ ...one, n, codes: [...one.codes] }))
  await perform({ kind: 'write', rows })
  await database.db.execute(`UPDATE feed.industry_count SET records = 7 WHERE dataset = 'gst_code'`)
  const corrected = async () =>
    Object.fromEntries((await recount(database.db)).map((each) => [each.dataset, each.differing]))
  expect(await corrected()).toEqual({ company: 0, gst: 1, director: 0 })
  await expectKept()
  expect(await corrected()).toEqual({ company: 0, gst: 0, director: 0 })
})

const gstFile = (change: (line: string) => string) =>
  Buffer.from(readFileSync(registryFixture('gst-taxpayers.csv'), 'utf8').split('\n').map(change).join('\n'))

async function imported(name: string, change: (line: string) => string, asOf: string): Promise<RunRecord> {
  const run = await ingest('gst-taxpayers', setup.file(name, gstFile(change)), { asOf, force: true })
  if (run.status !== 'needs_approval') return run
  await approveRun(database.db, queue, run.run_id)
  return runSnapshot(dependencies(), run.run_id)
}

test('codes and statuses that imports change move from cell to cell, and back when these are undone', async () => {
  await imported('first.csv', (line) => line, '2025-01-01')
  const first = await kept()
  const cells = (status: string) => ['2710', '2711', '8471'].map((heading) => `gst|Maharashtra|${status}|${heading}`)
  expect(cells('Active').map((cell) => first.get(cell))).toEqual([1, 1, undefined])
  const otherCodes = (line: string) => line.replace('2710;2711', '271019;8471')
  const second = await imported('second.csv', otherCodes, '2025-02-01')
  const then = await kept()
  expect(cells('Active').map((cell) => then.get(cell))).toEqual([1, undefined, 1])
  await imported('third.csv', (line) => otherCodes(line).replace('Regular,Active', 'Regular,Suspended'), '2025-03-01')
  const last = await kept()
  expect(cells('Active').map((cell) => last.get(cell))).toEqual([undefined, undefined, undefined])
  expect(cells('Suspended').map((cell) => last.get(cell))).toEqual([1, undefined, 1])
  await expectKept()
  const asked = { runId: second.run_id, through: true, reason: 'the wrong file', requestedBy: 'operator' }
  await runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
  expect(await kept()).toEqual(first)
})
