import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest } = useIngest(database)

const company = async (cin: string): Promise<Record<string, unknown>> => {
  const [row] = await database.db.query<Record<string, unknown>>('SELECT * FROM registry.company WHERE cin = $1', [cin])
  if (!row) throw new Error(`${cin} was not inserted`)
  return row
}

test('the 2014 and 2018 generations give the same canonical words as the 2023 one', async () => {
  await ingest('pincodes', registryFixture('pincodes.csv'))
  const old = await ingest('mca-companies', registryFixture('mca-companies-2014.csv'), {
    asOf: '2015-01-01',
    mode: 'delta',
  })
  expect(old).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 1, rejected: 1 })
  const before = await company('U85100GA2002PTC003101')
  expect(before).toMatchObject({
    status: 'Active',
    status_source: 'ACTIVE',
    incorporated_on: '2002-01-05',
    authorised_capital: 30_000_000_000,
    paid_up_capital: 100_000,
    roc_code: 'ROC Goa',
    state: 'Goa',
    pincode: '403516',
    district: 'North Goa',
  })
  const run = await ingest('mca-companies', registryFixture('mca-companies-2018.csv'), {
    asOf: '2018-06-01',
    mode: 'delta',
  })
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 1, updated: 1 })
  expect(run.report).toMatchObject({ repaired: { windows_1252: 1 } })
  expect(await company('U85100GA2002PTC003101')).toMatchObject({
    status: 'Active',
    email: 'office@clinic.example',
    nic_code: 85100,
    balance_sheet_on: '2017-03-31',
  })
  expect(await company('U85100GA2002PTC003102')).toMatchObject({
    name: 'CAFÉ SÃO PEDRO PRIVATE LIMITED',
    name_key: 'cafe sao pedro',
    status: 'Struck Off',
    incorporated_on: '2002-12-13',
    authorised_capital: null,
  })
})
