import { expect } from 'vitest'
import { listRejects } from '../../../src/ingest/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { sharedFile, testWithSharedData } from '../../support/shared-data.ts'

const database = useTestDatabase()
const { ingest } = useIngest(database)
const goa = 'company/mca_goa_datagovin_2025-10.csv'
const pins = 'reference/pincode_district_state.csv'
const withGoa = testWithSharedData(goa, pins)

withGoa('the real Goa file is read whole and only its malformed CIN is rejected, with its line', async () => {
  expect(await ingest('pincodes', sharedFile(pins))).toMatchObject({
    status: 'succeeded',
    rows_read: 21_162,
    rejected: 0,
  })
  const run = await ingest('mca-companies', sharedFile(goa))
  console.log('Goa', run.rows_read, run.inserted, run.rejected, run.report)
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
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 1000, closed: 0, rejected: 0 })
})

const years = 'company/cin_year_list_first_50000.csv'
testWithSharedData(years)(
  'a two-column list is refused as a company snapshot and the message names what is missing',
  async () => {
    await expect(ingest('mca-companies', sharedFile(years))).rejects.toMatchObject({
      code: 'HEADER_MISMATCH',
      message: expect.stringMatching(/cin_year_list_first_50000.csv, line 1: .*Missing: CompanyName, /),
    })
  },
)

testWithSharedData(years)('of 50,000 real CINs exactly two are malformed', async () => {
  const [counted] = await database.db.query(
    `SELECT count(*) AS malformed FROM regexp_split_to_table(pg_read_file($1), '\n') AS list(line)
     WHERE line LIKE '%,%' AND line NOT LIKE 'CORPORATE%' AND ingest.company_id(split_part(line, ',', 1)) IS NULL`,
    [sharedFile(years)],
  )
  expect(counted).toEqual({ malformed: 2 })
})
