import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { history } from '../../../src/api/operations/history/index.ts'
import { keepHistory, pruneHistory } from '../../../src/ingest/after/prune-history.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { CompanyOracle, cinOf, companyFile, companySteps, dayOf } from '../../support/company-history.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { ingestApproved } from '../../support/history.ts'
import { useIngest } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const setup = useIngest(database)
let api: BareApi
beforeAll(async () => {
  api = await bareApi({ db: database.db }, routesOf(details), routesOf(history))
})

const reset = async () => {
  await emptyRegisters(database.db)
  await database.db.execute('TRUNCATE ingest.history_retention')
}
const get = async (url: string) => {
  const reply = await api.app.inject(url)
  return { status: reply.statusCode, body: reply.json() }
}

test('after pruning, every day from the retained one on answers as before, and earlier days are refused, not guessed', async () => {
  await fc.assert(
    fc.asyncProperty(companySteps, fc.integer({ min: 0, max: 8 }), async (steps, from) => {
      await reset()
      const oracle = new CompanyOracle()
      for (const step of steps) {
        await ingestApproved(database.db, setup, 'mca-companies', companyFile(step), dayOf(step.day), step.mode)
        oracle.apply(step)
      }
      const pruned = await pruneHistory(database.db, dayOf(from))
      expect(pruned.retained_from).toBe(dayOf(from))
      expect(await pruneHistory(database.db, dayOf(from))).toEqual({ ...pruned, deleted: 0 })
      const [most] = await database.db.query<{ rows: number }>(
        `SELECT coalesce(max(rows), 0) AS rows FROM (
           SELECT count(*) AS rows FROM ingest.change WHERE as_of < $1 GROUP BY entity, identifier) each`,
        [dayOf(from)],
      )
      expect(most?.rows).toBeLessThanOrEqual(1)
      for (let n = 1; n <= 4; n++) {
        for (let day = -1; day <= 8; day++) {
          const { status, body } = await get(`/api/company/details?cin=${cinOf(n)}&as_of=${dayOf(day)}`)
          if (day < from) {
            expect([status, body.error_code, body.retained_from]).toEqual([410, 'HISTORY_NOT_RETAINED', dayOf(from)])
            continue
          }
          const wanted = oracle.asOf(n, day)
          const closedOn = wanted?.closedOn == null ? null : dayOf(wanted.closedOn)
          expect([n, day, status]).toEqual([n, day, wanted ? 200 : 404])
          if (!wanted) continue
          const { closedOn: _, ...fields } = wanted
          expect([body.data, body.version]).toMatchObject([fields, { closed_on: closedOn }])
        }
      }
    }),
    { numRuns: draws(15) },
  )
}, 240_000)

test('a history says from which day it is whole', async () => {
  await reset()
  const step = (day: number, status: string) => ({
    mode: 'delta' as const,
    isShort: false,
    day,
    rows: [{ n: 1, name: 'A LIMITED', status, capital: 'NA' as const, registrar: 'ROC Goa' as const, address: 'NA' }],
  })
  for (const [day, status] of [
    [0, 'Active'],
    [1, 'Strike Off'],
    [2, 'Active'],
  ] as const) {
    await ingestApproved(database.db, setup, 'mca-companies', companyFile(step(day, status)), dayOf(day), 'delta')
  }
  const url = `/api/company/history?cin=${cinOf(1)}`
  expect((await get(url)).body).toMatchObject({ total: 3, retained_from: null })
  expect(await pruneHistory(database.db, dayOf(2))).toEqual({ retained_from: dayOf(2), deleted: 1 })
  expect((await get(url)).body).toMatchObject({
    total: 2,
    retained_from: dayOf(2),
    data: [
      { kind: 'update', as_of: dayOf(2) },
      { kind: 'update', as_of: dayOf(1) },
    ],
  })
  // A day that was given up does not come back.
  expect(await pruneHistory(database.db, dayOf(0))).toEqual({ retained_from: dayOf(2), deleted: 0 })
  await expect(pruneHistory(database.db, '2999-01-01')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('years to keep are applied once, and without them everything stays', async () => {
  await reset()
  expect(await keepHistory(database.db, null)).toBe(0)
  expect(await database.db.query('SELECT FROM ingest.history_retention')).toEqual([])
  await keepHistory(database.db, '5 years')
  const kept = () =>
    database.db.query(
      `SELECT retained_from = runtime.indian_day(now() - interval '5 years') AS is_five_years, pruned_at
       FROM ingest.history_retention`,
    )
  const first = await kept()
  expect(first).toMatchObject([{ is_five_years: true }])
  await keepHistory(database.db, '5 years')
  expect(await kept()).toEqual(first)
})

test('a company is linked to the identifiers that it had before, where its source names them', async () => {
  await reset()
  const header =
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code'
  const line = (cin: string, name: string) =>
    `${cin},${name},ROC Goa,Company limited by shares,2010-05-28,NA,Unlisted,Active,55101`
  const [unlisted, listed, moved] = ['U55101GA2010PLC005004', 'L55101GA2010PLC005004', 'L55101MH2010PLC205004']
  await setup.ingest('mca-companies', setup.file('old.csv', `${header}\n${line(unlisted, 'MIRAMAR LIMITED')}\n`), {
    asOf: '2020-01-01',
  })
  const named = `${header},PREVIOUS_CIN\n${line(moved, 'MIRAMAR LIMITED')},"${listed}; u55101ga2010plc005004, not known"\n${line('U55101GA2011PTC005005', 'ANOTHER')},NA\n`
  const run = await setup.ingest('mca-companies', setup.file('new.csv', named), { asOf: '2021-01-01', mode: 'delta' })
  expect(run).toMatchObject({ inserted: 2, rejected: 0, report: { repaired: { previous_id_dropped: 1 } } })
  const linksOf = async (cin: string) => {
    const { previous_cins, succeeded_by } = (await get(`/api/company/history?cin=${cin}`)).body
    return { previous_cins, succeeded_by }
  }
  expect(await linksOf(moved)).toEqual({ previous_cins: [listed, unlisted], succeeded_by: [] })
  expect(await linksOf(unlisted)).toEqual({ previous_cins: [], succeeded_by: [moved] })
  expect(await linksOf('U55101GA2011PTC005005')).toEqual({ previous_cins: [], succeeded_by: [] })
  const insert = (await get(`/api/company/history?cin=${moved}`)).body.data[0]
  expect(insert.changes).toContainEqual({ field: 'previousCINs', before: null, after: [listed, unlisted] })

  // A later file without the column leaves the links as they are.
  const without = `${header}\n${line(moved, 'MIRAMAR HOTELS LIMITED')}\n`
  await setup.ingest('mca-companies', setup.file('later.csv', without), { asOf: '2022-01-01', mode: 'delta' })
  expect(await linksOf(moved)).toEqual({ previous_cins: [listed, unlisted], succeeded_by: [] })
})
