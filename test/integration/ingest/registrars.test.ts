/** A registrar is one part of the register, however its name was written in a year. */
import { beforeEach, expect, test } from 'vitest'
import { listScopes } from '../../../src/ingest/conduct/lower-scopes.ts'
import { companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

beforeEach(async () => {
  await emptyRegisters(database.db)
})

let files = 0
const written = (registrar: string, count: number) =>
  file(`roc-${++files}.csv`, snapshotText(companies(1, count, { registrar: 'X' })).replaceAll('ROC X', registrar))

test('a file of 2023 closes what files of 2018 and before entered, and holds older ones back', async () => {
  await ingest('mca-companies', written('ROC CHENNAI', 20), { asOf: '2021-01-01' })
  expect(await ingest('mca-companies', written('ROC Chennai', 19), { asOf: '2023-01-01' })).toMatchObject({
    status: 'succeeded',
    updated: 0,
    closed: 1,
  })
  expect(await ingest('mca-companies', written('RoC-Chennai', 20), { asOf: '2018-01-01' })).toMatchObject({
    skipped: 20,
  })
  expect(await listScopes(database.db, 'mca-companies')).toMatchObject([{ scope: 'ROC Chennai', as_of: '2023-01-01' }])
})

test.each([
  ['RoC-Mumbai', 'ROC Mumbai'],
  ['roc bombay', 'ROC Mumbai'],
  ['Goa', 'ROC Goa'],
  ['ROC HIMACHAL PRADESH', 'ROC Himachal Pradesh'],
  ['ROC Bengaluru', 'ROC Bangalore'],
  ['ROC-SOMEWHERE NEW', 'ROC Somewhere New'],
  ['Roc Somewhere New', 'ROC Somewhere New'],
  ['Rockford', 'Rockford'],
])('%s is %s', async (spelling, registrar) => {
  await ingest('mca-companies', written(spelling, 1), { asOf: '2023-01-01' })
  expect(await database.db.query('SELECT DISTINCT roc_code FROM registry.company')).toEqual([{ roc_code: registrar }])
})
