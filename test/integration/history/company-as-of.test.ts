import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { history } from '../../../src/api/operations/history/index.ts'
import { fieldNames } from '../../../src/registry/history/field-names.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import {
  CompanyOracle,
  type CompanyRow,
  type CompanyStep,
  cinOf,
  companyFile,
  companySteps,
  dayOf,
} from '../../support/company-history.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { ingestApproved, readWholeHistory, replay } from '../../support/history.ts'
import { useIngest } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const setup = useIngest(database)
let api: BareApi
beforeAll(async () => {
  api = await bareApi({ db: database.db }, routesOf(details), routesOf(history))
})

const row: CompanyRow = {
  n: 1,
  name: 'KONKAN CASHEW LIMITED',
  status: 'Active',
  capital: '100000',
  registrar: 'ROC Goa',
  address: 'NA',
}
const snapshotOf = (day: number, ...rows: CompanyRow[]): CompanyStep => ({
  mode: 'snapshot',
  isShort: false,
  day,
  rows,
})
/** Goa's newer snapshot showed the company unchanged; the older one must not move it to Mumbai. */
const olderFileOfAnotherRegistrar = [
  snapshotOf(0, row),
  snapshotOf(1, row),
  snapshotOf(0, { ...row, registrar: 'ROC Mumbai' }),
  snapshotOf(1, { ...row, n: 2 }),
]

const detailsAsOf = async (n: number, day: number) => {
  const reply = await api.app.inject(`/api/company/details?cin=${cinOf(n)}&as_of=${dayOf(day)}`)
  if (reply.statusCode === 404) return undefined
  const { data, version } = reply.json()
  const { companyName, llpStatus, authorisedCapital, registeredAddress, dateOfIncorporation } = data
  const closedOn = version.closed_on
  return { companyName, llpStatus, authorisedCapital, registeredAddress, dateOfIncorporation, closedOn }
}

test('a company read as of any day is what the snapshots up to that day say, late, partial and moved ones included', async () => {
  await fc.assert(
    fc.asyncProperty(companySteps, async (steps) => {
      await emptyRegisters(database.db)
      const oracle = new CompanyOracle()
      for (const step of steps) {
        await ingestApproved(database.db, setup, 'mca-companies', companyFile(step), dayOf(step.day), step.mode)
        oracle.apply(step)
      }
      for (let n = 1; n <= 4; n++) {
        for (let day = -1; day <= 8; day++) {
          const wanted = oracle.asOf(n, day)
          const closedOn = wanted?.closedOn == null ? null : dayOf(wanted.closedOn)
          expect([n, day, await detailsAsOf(n, day)]).toEqual([n, day, wanted && { ...wanted, closedOn }])
        }
      }
    }),
    { numRuns: draws(25), examples: [[olderFileOfAnotherRegistrar]] },
  )
}, 240_000)

test("a company's history replayed from its first entry gives the present row, each entry starting where the last ended", async () => {
  await fc.assert(
    fc.asyncProperty(companySteps, async (steps) => {
      await emptyRegisters(database.db)
      for (const step of steps) {
        await ingestApproved(database.db, setup, 'mca-companies', companyFile(step), dayOf(step.day), step.mode)
      }
      const rows = await database.db.query<{ cin: string; row: Record<string, unknown> }>(
        'SELECT cin, to_jsonb(c) AS row FROM registry.company c',
      )
      expect(rows.length).toBeGreaterThan(0)
      for (const { cin, row } of rows) {
        const named = Object.entries(fieldNames.company).map(([column, field]) => [field, row[column] ?? null])
        const entries = await readWholeHistory(api, `/api/company/history?cin=${cin}`)
        expect({ ...Object.fromEntries(named.map(([field]) => [field, null])), ...replay(entries) }).toEqual(
          Object.fromEntries(named),
        )
      }
    }),
    { numRuns: 8 },
  )
}, 120_000)

test('the e-mail address as of the newest day is that of the details, whoever collected it, and an earlier one before', async () => {
  await emptyRegisters(database.db)
  const contacts = (collector: string, emails: string) =>
    `entity,identifier,email,origin\ncompany,${cinOf(1)},${emails},${collector}\n`
  await ingestApproved(database.db, setup, 'mca-companies', companyFile(snapshotOf(0, row)), dayOf(0), 'snapshot')
  await ingestApproved(database.db, setup, 'contacts', contacts('Alpha', 'a@konkan.in'), dayOf(1), 'delta')
  await ingestApproved(database.db, setup, 'contacts', contacts('Beta', 'z@konkan.in;b@konkan.in'), dayOf(2), 'delta')
  const emailAsOf = async (asOf: string) =>
    (await api.app.inject(`/api/company/details?cin=${cinOf(1)}${asOf}`)).json().data.email
  expect(await emailAsOf('')).toBe('z@konkan.in')
  expect(await emailAsOf(`&as_of=${dayOf(2)}`)).toBe('z@konkan.in')
  expect(await emailAsOf(`&as_of=${dayOf(1)}`)).toBe('a@konkan.in')
})
