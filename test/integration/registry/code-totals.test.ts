/** The total of a search for a good is what a plain query counts, whatever else it asks, and whatever codes a registration holds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const codes = ['7604', '760410', '76041010', '7605', '0902', '090210'] as const
const registration = fc.record({
  state: fc.constantFrom('Goa', 'Kerala', null),
  status: fc.constantFrom('Active', 'Cancelled', null),
  codes: fc.array(fc.constantFrom(...codes, 'x604', ''), { maxLength: 4 }),
  closed: fc.constantFrom(null, null, '2025-02-01'),
})
const world = fc.array(registration, { minLength: 1, maxLength: 30 })

interface Condition {
  readonly query: string
  readonly where: string
}
const holds = (code: string): Condition => ({ query: `hsncd == '${code}'`, where: `'${code}' = ANY (hsn_codes)` })
const begins = (text: string): Condition => ({
  query: `hsncd STARTS_WITH '${text}'`,
  where: `EXISTS (SELECT FROM unnest(hsn_codes) AS code WHERE starts_with(code, '${text}'))`,
})
const inGoa: Condition = { query: `state == 'Goa'`, where: `state = 'Goa'` }
const condition = fc.oneof(
  fc.constantFrom(...codes).map(holds),
  fc.constantFrom('7604', '0902', '7605', '76', '76041', '760410', 'x604').map(begins),
  fc.constantFrom<Condition>(
    inGoa,
    { query: `state IN ['Goa', 'Kerala']`, where: `state IN ('Goa', 'Kerala')` },
    { query: 'state IS NULL', where: 'state IS NULL' },
    { query: `Status == 'Active'`, where: `status = 'Active'` },
    { query: `Status != 'Active'`, where: `status <> 'Active'` },
    { query: `hsncd != '7604'`, where: `NOT '7604' = ANY (hsn_codes) AND cardinality(hsn_codes) > 0` },
    { query: `hsncd IN ['7604', '0902']`, where: `hsn_codes && '{7604,0902}'` },
    { query: 'hsncd IS NULL', where: 'cardinality(hsn_codes) = 0' },
    { query: `(hsncd == '7604' OR state == 'Goa')`, where: `('7604' = ANY (hsn_codes) OR state = 'Goa')` },
    {
      query: `NOT (hsncd == '7604' AND state == 'Goa')`,
      where: `(NOT '7604' = ANY (hsn_codes) AND cardinality(hsn_codes) > 0 OR state <> 'Goa')`,
    },
  ),
)
const conditions = fc.array(condition, { minLength: 1, maxLength: 3 })

async function write(rows: readonly (typeof registration extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> {
  await database.db.execute('DELETE FROM registry.gst_taxpayer')
  await database.db.execute(
    `INSERT INTO registry.gst_taxpayer (gstin, kind, name_key, state, status, hsn_codes, closed_on, first_run_id, last_run_id, as_of)
     SELECT '30AAACH' || lpad(n::text, 4, '0') || 'F1Z5', 'normal', 'a', g->>'state', g->>'status',
            ARRAY(SELECT jsonb_array_elements_text(g->'codes')), (g->>'closed')::date, 1, 1, '2025-01-01'
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS given (g, n)`,
    [JSON.stringify(rows)],
  )
  await raiseVersion(database.db, 'gst')
}

async function plainCount(all: readonly Condition[]): Promise<number> {
  const where = all.map((each) => `(${each.where})`).join(' AND ')
  const [row] = await database.db.query<{ total: number }>(
    `SELECT count(*) AS total FROM registry.gst_taxpayer WHERE closed_on IS NULL AND ${where}`,
  )
  return row?.total ?? 0
}

test('whatever is asked beside a code or the beginning of one, as many registrations are told as a plain query counts', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(world, fc.array(conditions, { minLength: 6, maxLength: 6 }), async (rows, questions) => {
      await write(rows)
      for (const all of questions) {
        const query = all.map((each) => each.query).join(' AND ')
        const { total } = await runScreener(database.db, { type: 'gst', query, page: 1, limit: 5 })
        expect([query, total]).toEqual([query, await plainCount(all)])
        found += total
      }
    }),
    { numRuns: draws(40) },
  )
  expect(found).toBeGreaterThan(30)
}, 120_000)

test('a good in a state is counted without a look at its registrations', async () => {
  const row = { state: 'Goa', status: 'Active', codes: ['7604', '760410', '7604'], closed: null } as const
  await write([
    { ...row, codes: [...row.codes] },
    { ...row, codes: ['0902'] },
  ])
  const asked = async (query: string) =>
    (await runScreener(database.db, { type: 'gst', query, page: 1, limit: 5 })).total
  // What is kept answers, and nothing else: it is changed behind the register's back.
  await database.db.execute(
    `UPDATE feed.industry_count SET records = records + 40 WHERE dataset IN ('gst', 'gst_code') AND records > 0`,
  )
  await raiseVersion(database.db, 'gst')
  expect(await asked(`hsncd == '7604' AND state == 'Goa'`)).toBe(41)
  expect(await asked(`hsncd STARTS_WITH '7604' AND state == 'Goa' AND Status == 'Active'`)).toBe(41)
  expect(await asked(`hsncd == '7604' AND District == 'North Goa'`)).toBe(0)
})
