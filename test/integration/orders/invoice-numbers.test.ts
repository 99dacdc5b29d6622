/** Numbers of invoices and credit notes: each series counts 1, 2, 3 … in its year, whatever is rolled back and killed on the way. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import { type Db, openDb } from '../../../src/db/db.ts'
import { issueCreditNote, issueInvoice } from '../../../src/orders/invoices/issue-invoice.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount } from './world.ts'

const database = useTestDatabase()
let accountId: string
let pools: Db[] = []
let documents = 0

beforeAll(async () => {
  accountId = await createAccount(database.db)
  pools = Array.from({ length: 3 }, (_, index) =>
    openDb({ connectionString: database.url, applicationName: `panji-shop-${index}`, connectionsMax: 4 }),
  )
})
afterAll(async () => {
  for (const pool of pools) await pool.close()
})

type Fate = 'commits' | 'rolls back' | 'is killed' | 'is given back' | 'is given back in vain'
const supply = (reference: string) => ({ accountId, reference, description: 'test', net: 1_000, tax: 180 })

/** One sale, and what becomes of it. @returns how many documents it left. */
async function sell(db: Db, fate: Fate): Promise<number> {
  const reference = `payment:number:${++documents}`
  const sold = db.transaction(async (tx) => {
    await issueInvoice(tx, sampleSeller, supply(reference))
    if (fate === 'rolls back') throw new Error('rolled back')
    if (fate === 'is killed') await tx.query('SELECT pg_terminate_backend(pg_backend_pid())')
  })
  if (fate === 'rolls back' || fate === 'is killed') {
    await expect(sold).rejects.toThrow()
    return 0
  }
  await sold
  if (fate === 'commits') return 1
  const back = db.transaction(async (tx) => {
    await issueCreditNote(tx, reference, supply(`re${reference}`))
    if (fate === 'is given back in vain') throw new Error('rolled back')
  })
  if (fate === 'is given back') return back.then(() => 2)
  await expect(back).rejects.toThrow('rolled back')
  return 1
}

const gaps = () =>
  database.db.query(
    `SELECT series, financial_year, count(*), max(serial), min(serial) FROM orders.invoice GROUP BY 1, 2
     HAVING count(*) <> max(serial) OR min(serial) <> 1
        OR max(serial) <> (SELECT last FROM orders.invoice_counter AS c WHERE (c.series, c.financial_year) = (invoice.series, invoice.financial_year))`,
  )

const written = async () =>
  (await database.db.query<{ count: number }>('SELECT count(*) FROM orders.invoice'))[0]?.count ?? -1

test('over parallel sales that commit, roll back or die, no number is left out and none is given twice', async () => {
  const fates = fc.constantFrom<Fate>('commits', 'rolls back', 'is killed', 'is given back', 'is given back in vain')
  let kept = await written()
  await fc.assert(
    fc.asyncProperty(fc.array(fates, { minLength: 6, maxLength: 12 }), async (plan) => {
      const left = await Promise.all(plan.map((fate, index) => sell(pools[index % pools.length] ?? database.db, fate)))
      kept += left.reduce((sum, each) => sum + each, 0)
      expect(await gaps()).toEqual([])
      expect(await written()).toBe(kept)
    }),
    { numRuns: 15 },
  )
})

test('under one reference there is one document, and the counter moves by the document alone', async () => {
  await sell(database.db, 'commits')
  const again = () =>
    database.db.transaction((tx) => issueInvoice(tx, sampleSeller, supply(`payment:number:${documents}`)))
  await expect(again()).rejects.toThrow()
  expect(await gaps()).toEqual([])
})

test('at midnight of India between 31 March and 1 April a year ends and another begins with 1, also for sales at the same moment', async () => {
  // What the statement takes for the time; the tables keep their own.
  await database.db.execute('CREATE SCHEMA told')
  await database.db.execute(
    `CREATE FUNCTION told.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT current_setting('told.now')::timestamptz $$`,
  )
  const soldAt = (moment: string) =>
    database.db.transaction(async (tx) => {
      await tx.execute('SET LOCAL search_path = told, pg_catalog')
      await tx.query(`SELECT set_config('told.now', $1, true)`, [moment])
      return issueInvoice(tx, sampleSeller, supply(`payment:number:${++documents}`))
    })
  const [last, first] = ['2041-03-31T18:29:59Z', '2041-03-31T18:30:00Z']
  const numbers = await Promise.all([last, first, last, first, last].map((moment) => soldAt(moment)))
  expect(numbers.toSorted()).toEqual([
    ...['PI-4041-0000001', 'PI-4041-0000002', 'PI-4041-0000003'],
    ...['PI-4142-0000001', 'PI-4142-0000002'],
  ])
  expect(await soldAt('2042-02-28T12:00:00Z')).toBe('PI-4142-0000003')
  expect(await gaps()).toEqual([])
})
