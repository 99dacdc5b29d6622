/** Over a register of many names: no stage of a name search reads the table, and misspelt names are found. */
import { beforeAll, describe, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Queryable, Sql } from '../../../src/db/db.ts'
import { filterCompanies, filterDirectors, filterGst } from '../../../src/registry/filters.ts'
import { searchByName } from '../../../src/registry/names/name-search.ts'
import { Conditions } from '../../../src/registry/paging/conditions.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()

beforeAll(async () => {
  const { db } = database
  await insertCompany(db, {
    cin: 'U85100GA2022PTC900001',
    name: 'INFOSYS QUARTZ LIMITED',
    incorporated_on: '2022-01-01',
  })
  await insertCompany(db, { cin: 'AAC-3965', name: 'MANDOVI WEAVERS LLP', incorporated_on: '2022-01-01' })
  await insertGst(db, { gstin: '27AAACR5055K1Z7', trade_name: 'Xenon Bakers', registered_on: '2022-01-01' })
  for (const [cin, name] of [
    ['AAC-3966', 'ZAMBRE FOREX LLP'],
    ['U61100GA1982PTC000482', 'ZAMBRE FOREX PRIVATE LIMITED'],
    ['U63090GA1975PLC000217', 'ZAMBRE FOREX LTD'],
    ['U11100GA1975PLC000218', 'ZAMBRE FOREX INDIA LIMITED'],
  ] as const)
    await insertCompany(db, { cin, name, incorporated_on: '2022-01-01' })
  // A word that nearly every name holds: left to itself the planner reads the table from its start.
  await db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, incorporated_on, first_run_id, last_run_id, as_of)
     SELECT 'F' || n, 'Foreign Company', 'UNIT' || n || ' BHARAT', 'unit' || n || ' bharat', '2022-01-01', 1, 1, '2026-11-01'
     FROM generate_series(100000, 140000) AS n`,
  )
  await seedRegisters(db, { companies: 20_000, gst: 2_000, directors: 1_000 })
})

/** Runs the search and tells the plan nodes of each statement that reads the register. */
async function plansOf(name: string, state?: string) {
  const nodes: string[] = []
  const ids = await database.db.readSnapshot(5_000, async (tx) => {
    const watched: Queryable = {
      execute: tx.execute,
      async query<R extends object>(sql: Sql, values?: readonly unknown[]): Promise<R[]> {
        if (typeof sql === 'string' && sql.includes('registry.company')) {
          const plan = await tx.query(`EXPLAIN (FORMAT JSON) ${sql}`, values)
          nodes.push(
            ...JSON.stringify(plan)
              .matchAll(/"Node Type":"([^"]+)"/g)
              .map(([, node]) => String(node)),
          )
        }
        return tx.query<R>(sql, values)
      },
    }
    const conditions = () => new Conditions().add(state, (value) => `r.state = ${value}`)
    const count = async (where: Conditions) => {
      const sql = `SELECT count(*) AS total FROM registry.company r WHERE ${where.sql}`
      return (await watched.query<{ total: number }>(sql, where.values))[0]?.total ?? 0
    }
    return (await searchByName(watched, { entity: 'company', name, conditions, limit: 10, offset: 0 }, count)).ids
  })
  return { ids, nodes }
}

describe('a word that very many names hold', () => {
  test.each(['bharat', 'india', 'co', 'it', '99', 'ka', 'kaka', 'india enterprises', 'indja', 'U85100GA2022PTC900001'])(
    '%s never scans the table, whatever else is asked for',
    async (name) => {
      for (const state of [undefined, 'Goa', 'Nowhere']) {
        const { ids, nodes } = await plansOf(name, state)
        expect(nodes.length).toBeGreaterThan(0)
        expect(nodes).not.toContain('Seq Scan')
        if (state === undefined) expect(ids.length).toBeGreaterThan(0)
        if (state === 'Nowhere') expect(ids).toEqual([])
      }
    },
  )
})

describe('names as people type them', () => {
  const names = async (company: string) =>
    (await filterCompanies(database.db, { company, page: 1, limit: 10 })).results.map(({ companyName }) => companyName)

  test.each([
    'infosys quartz',
    'infosis quartz',
    'nfosys quartz',
    'Imfosys Quarts',
    'quartz infosy',
    'infosys qartz pvt ltd',
  ])('%s finds the name that was meant first', async (company) => {
    expect((await names(company))[0]).toBe('INFOSYS QUARTZ LIMITED')
  })

  test.each([
    ['zambre forex', 'ZAMBRE FOREX LLP'],
    ['Zambre Forex LLP', 'ZAMBRE FOREX LLP'],
    ['zambre forex (p) ltd.', 'ZAMBRE FOREX PRIVATE LIMITED'],
    ['ZAMBRE FOREX LIMITED', 'ZAMBRE FOREX LTD'],
  ])('of names that differ in their legal form, %s finds the one that has it first', async (company, first) => {
    const found = await names(company)
    expect(found[0]).toBe(first)
    expect([found.length, found.at(-1)]).toEqual([4, 'ZAMBRE FOREX INDIA LIMITED'])
  })

  test('a word that no name is spelt like finds nothing', async () => {
    expect(await names('qqqwwwxxx')).toEqual([])
  })

  test('an identifier in the place of a name finds its record', async () => {
    expect(await names('u85100ga2022ptc900001')).toEqual(['INFOSYS QUARTZ LIMITED'])
    expect(await names('aac3965')).toEqual(['MANDOVI WEAVERS LLP'])
    const found = await filterGst(database.db, { tradeName: '27AAACR5055K1Z7', page: 1, limit: 10 })
    expect(found).toMatchObject({ results: [{ TradeName: 'Xenon Bakers' }], total: 1 })
  })

  test('directors are still found by the parts of their names', async () => {
    const { total } = await filterDirectors(database.db, { firstName: 'ka', page: 1, limit: 1 })
    expect(total).toBeGreaterThan(0)
  })
})

test('pages of a broad query and of one whose hits all lie at the end hold the same records as the whole', async () => {
  for (const query of ["llpStatus == 'Active'", 'NICCode >= 80000']) {
    const all = await database.db.query<{ cin: string }>(
      `SELECT cin FROM registry.company WHERE ${query.startsWith('NIC') ? 'nic_code >= 80000' : "status = 'Active'"} ORDER BY cin LIMIT 150`,
    )
    const paged: string[] = []
    let cursor: string | undefined
    for (let page = 1; page <= 3; page++) {
      const found = await runScreener(database.db, { type: 'company', query, page: 1, limit: 50, cursor })
      paged.push(...found.results.map(({ CIN }) => CIN))
      cursor = found.next_cursor ?? undefined
    }
    expect(paged).toEqual(all.map(({ cin }) => cin))
    const third = await runScreener(database.db, { type: 'company', query, page: 3, limit: 50 })
    expect(third.results.map(({ CIN }) => CIN)).toEqual(paged.slice(100))
  }
})
