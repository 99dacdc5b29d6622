/** Totals that are remembered change no answer of the filters and the screener, whatever the registers and the objections do in between. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addSuppressions, removeSuppressions } from '../../../src/access/suppressions.ts'
import type { Db, Tx } from '../../../src/db/db.ts'
import { filterCompanies, filterDirectors, filterGst } from '../../../src/registry/filters.ts'
import type { ScreenerType } from '../../../src/registry/screener/fields.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { rememberingQueue } from '../../support/ingest.ts'
import { insertCompany, insertDirector, insertGst, raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
/** The same database with nothing remembered of it. */
const forgetful = (db: Db): Db => ({ ...db, identity: {} })

const states = ['Goa', 'Kerala'] as const
const names = ['KONKAN CASHEW', 'ZUARI AGRO', 'ZUARI CASHEW'] as const
const records = 10
const serial = fc.integer({ min: 1, max: records })
const cin = (n: number) => `U85100GA2022PTC${String(n).padStart(6, '0')}`
const gstin = (n: number) => `27AAACR${String(n).padStart(4, '0')}K1Z7`
const din = (n: number) => String(n).padStart(8, '0')
const actor = 'operator:asha'
const queue = rememberingQueue()

/** What a merge does to one row of a register, and what an objection does to a director, each with its version. */
const change = fc.record({
  what: fc.constantFrom('company', 'gst', 'director', 'objection', 'objection', 'withdrawal'),
  n: serial,
  state: fc.constantFrom(...states),
  name: fc.constantFrom(...names),
  closes: fc.boolean(),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(tx: Tx, { what, n, state, name, closes }: Change): Promise<void> {
  const objections = [{ kind: 'din' as const, value: din(n) }]
  switch (what) {
    case 'objection':
      await addSuppressions(tx, queue, { objections, actor })
      return
    case 'withdrawal':
      await removeSuppressions(tx, { objections }, actor)
      return
    case 'company':
      await tx.execute('DELETE FROM registry.company WHERE cin = $1', [cin(n)])
      if (!closes) await insertCompany(tx, { cin: cin(n), name, state })
      break
    case 'gst':
      await tx.execute('DELETE FROM registry.gst_taxpayer WHERE gstin = $1', [gstin(n)])
      if (!closes) await insertGst(tx, { gstin: gstin(n), trade_name: name, state, status: 'Active' })
      break
    case 'director':
      await tx.execute('DELETE FROM registry.director WHERE din = $1', [din(n)])
      if (!closes) await insertDirector(tx, { din: din(n), full_name: name, first_name: name.split(' ')[0], state })
  }
  await raiseVersion(tx, what)
}

const paging = { page: fc.integer({ min: 1, max: 2 }), limit: fc.constantFrom(2, 10) }
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const state = maybe(fc.constantFrom(...states))
const name = maybe(fc.constantFrom('konkan', 'zuari', 'cashew', 'nobody'))
const question = fc.oneof(
  fc.record({ ...paging, state, company: name }).map((asked) => (db: Db) => filterCompanies(db, asked)),
  fc.record({ ...paging, state, tradeName: name }).map((asked) => (db: Db) => filterGst(db, asked)),
  fc.record({ ...paging, state, firstName: name }).map((asked) => (db: Db) => filterDirectors(db, asked)),
  fc
    .record({
      ...paging,
      type: fc.constantFrom<ScreenerType>('company', 'gst'),
      of: fc.constantFrom(...states),
      operator: fc.constantFrom('==', '!='),
    })
    .map(({ of, operator, type, ...asked }) => (db: Db) => {
      const query = `${type === 'gst' ? 'state' : 'State'} ${operator} '${of}'`
      return runScreener(db, { ...asked, type, query })
    }),
)

test('a page of a filter or of the screener is the same with and without remembered totals', async () => {
  const { db } = database
  let found = 0
  for (let n = 1; n <= records; n += 1) {
    for (const what of ['company', 'gst', 'director'] as const) {
      await db.transaction((tx) => apply(tx, { what, n, state: 'Goa', name: 'ZUARI CASHEW', closes: false }))
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ changes: fc.array(change, { maxLength: 2 }), asked: fc.array(question, { maxLength: 4 }) }),
        {
          minLength: 2,
          maxLength: 4,
        },
      ),
      async (rounds) => {
        // What was asked in one round is remembered in the next, of another state of the registers.
        const asked: (typeof question extends fc.Arbitrary<infer T> ? T : never)[] = []
        for (const round of rounds) {
          for (const each of round.changes) await db.transaction((tx) => apply(tx, each))
          asked.push(...round.asked)
          for (const ask of [...asked, ...asked]) {
            const known = await ask(db)
            expect(known).toEqual(await ask(forgetful(db)))
            found += Math.min(known.total, 1)
          }
        }
      },
    ),
    { numRuns: 10 },
  )
  // Registers in which nothing is found would compare nothing.
  expect(found).toBeGreaterThan(30)
})
