import { readFileSync } from 'node:fs'
import { beforeEach, expect } from 'vitest'
import { listRejects, type RunRecord } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { sharedFile, testWithSharedData } from '../../support/shared-data.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const goa = 'company/mca_goa_datagovin_2025-10.csv'
const pins = 'reference/pincode_district_state.csv'
const withGoa = testWithSharedData(goa, pins)

beforeEach(() => emptyRegisters(database.db))

withGoa('the real Goa file is read whole and only its malformed CIN is rejected, with its line', async () => {
  const directory = await ingest('pincodes', sharedFile(pins))
  console.log(`PIN directory: ${countsOf(directory)}`)
  expect(directory).toMatchObject({
    status: 'succeeded',
    rows_read: 21_162,
    rejected: 0,
  })
  const run = await ingest('mca-companies', sharedFile(goa))
  console.log(`Goa: ${countsOf(run)}`, run.report)
  expect(run).toMatchObject({
    status: 'succeeded',
    rows_read: 11_879,
    inserted: 11_878,
    rejected: 1,
    scopes: ['ROC Goa'],
  })
  const [reject, ...others] = await listRejects(database.db, run.run_id)
  expect(others).toEqual([])
  expect(reject).toMatchObject({ line: 7791, code: 'cin_malformed' })
  expect(reject?.raw).toMatch(/^U63040GA2006PTCOO4531,/)

  const again = await ingest('mca-companies', sharedFile(goa))
  expect(again).toMatchObject({ status: 'no_op', sha256: run.sha256, inserted: 0, updated: 0 })
  const forced = await ingest('mca-companies', sharedFile(goa), { force: true })
  expect(forced).toMatchObject({
    status: 'succeeded',
    inserted: 0,
    updated: 0,
    closed: 0,
    unchanged: 11_878,
    rejected: 1,
  })

  const [company] = await database.db.query(
    `SELECT city, district, state, pincode, nic_code, nic_vintage FROM registry.company WHERE cin = 'U85100GA2022PTC015629'`,
  )
  expect(company).toEqual({
    city: 'Bardez',
    district: 'North Goa',
    state: 'Goa',
    pincode: '403521',
    nic_code: 85100,
    nic_vintage: 2004,
  })
  const [resolved] = await database.db.query<{ state: number; district: number; city: number }>(
    `SELECT count(state) AS state, count(district) AS district, count(city) AS city FROM registry.company`,
  )
  console.log('Goa, places resolved of 11,878:', resolved)
  expect(resolved?.state).toBe(11_878)
  expect(resolved?.district).toBeGreaterThan(0.9 * 11_878)
  expect(resolved?.city).toBeGreaterThan(0.95 * 11_878)
})

const dayOne = 'company/mca_5states_snapshot_day1.csv'
testWithSharedData(dayOne)('the real six-column sample is read whole', async () => {
  const run = await ingest('mca-companies', sharedFile(dayOne))
  console.log(`day-1 sample: ${countsOf(run)}`)
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 1000, inserted: 1000, closed: 0, rejected: 0 })
})

const nic = 'reference/nic2008_derived.csv'
testWithSharedData(nic)('the real NIC list is read whole, with its vintage', async () => {
  const run = await ingest('nic', sharedFile(nic))
  const levels = await database.db.query<{ level: string; rows: number }>(
    'SELECT level, count(*) AS rows FROM reference.nic WHERE vintage = 2008 GROUP BY level ORDER BY rows',
  )
  console.log(`NIC list: ${countsOf(run)}; ${levels.map(({ level, rows }) => `${rows} ${level}`).join(', ')}`)
  expect(run).toMatchObject({ status: 'succeeded', scopes: ['2008'] })
  expect(run.inserted + run.rejected).toBe(run.rows_read)
  expect((await listRejects(database.db, run.run_id)).filter(({ code }) => code !== 'duplicate_in_file')).toEqual([])
})

const years = 'company/cin_year_list_first_50000.csv'
testWithSharedData(years)(
  'a two-column list is refused as a company snapshot and the message names what is missing',
  async () => {
    const refused = await ingest('mca-companies', sharedFile(years)).catch((error: unknown) => error)
    console.log(`50,000 CINs as a company snapshot: ${String(refused)}`)
    expect(refused).toMatchObject({
      code: 'HEADER_MISMATCH',
      message: expect.stringMatching(/cin_year_list_first_50000.csv, line 1: .*Missing: CompanyName, /),
    })
  },
)

testWithSharedData(years)('of 50,000 real CINs exactly two are malformed', async () => {
  // The list is ingested whole, its two columns beside four that every row shares.
  const [, ...lines] = readFileSync(sharedFile(years), 'utf8').trimEnd().split('\n')
  const rows = lines.map((line) => `${line.split(',')[0]},LISTED,Active,1,1,Private`)
  const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
  const path = file('cins.csv', `${[header, ...rows].join('\n')}\n`)
  const run = await ingest('mca-companies', path, { mode: 'delta', asOf: '2020-01-01' })
  const malformed = await listRejects(database.db, run.run_id, 'cin_malformed')
  console.log(`50,000 CINs: ${countsOf(run)}; malformed: ${malformed.map(({ raw }) => raw.split(',')[0]).join(', ')}`)
  expect(run).toMatchObject({ status: 'succeeded', rows_read: lines.length })
  expect(lines.length).toBeGreaterThan(49_990)
  expect(malformed).toHaveLength(2)
  expect(run.rows_read).toBe(run.inserted + run.updated + run.unchanged + run.skipped + run.rejected)
})

const countsOf = (run: RunRecord): string =>
  `${run.rows_read} read = ${run.inserted} inserted + ${run.updated} updated + ${run.unchanged} unchanged + ${run.rejected} rejected`
