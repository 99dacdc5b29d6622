import { beforeAll, expect, test } from 'vitest'
import { createCompanyDetailsReader } from '../../../src/registry/details/company.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code,CompanyIndustrialClassification'
const line = (cin: string, day: string, code = '72200') =>
  `${cin},A LIMITED,ROC Goa,Company limited by shares,${day},NA,Unlisted,Active,${code},"The source's own words"`
const [old, young, moved, undated, unlisted] = [
  'U72200GA2010PTC006003',
  'U72200GA2024PTC006004',
  'U72200GA1996PTC006005',
  'U72200GA2023PTC006006',
  'U72299GA2010PTC006007',
]

beforeAll(async () => {
  const nic = await ingest('nic', registryFixture('nic-two-vintages.csv'))
  expect(nic).toMatchObject({ status: 'succeeded', rows_read: 4, inserted: 4, rejected: 0, scopes: ['2004', '2008'] })
  const lines = [
    line(old, '2010-05-05'),
    line(young, '2024-01-01'),
    line(moved, '2023-06-01'),
    line(undated, 'NA'),
    line(unlisted, '2010-05-05', '72299'),
  ]
  const run = await ingest('mca-companies', file('companies.csv', [header, ...lines, ''].join('\n')))
  expect(run).toMatchObject({ inserted: 5, rejected: 0 })
})

const software = 'Software consultancy and supply'
const research = 'Research and experimental development on social sciences and humanities'
test.each([
  ['registered before 2023', old, 2004, software, 'Computer and related activities'],
  ['registered from 2023 on', young, 2008, research, 'Scientific research and development'],
  ['whose date and CIN differ, by its date,', moved, 2008, research, 'Scientific research and development'],
  ['without a date, by the year in its CIN,', undated, 2008, research, 'Scientific research and development'],
  [
    'with digits that the list of its vintage lacks',
    unlisted,
    2004,
    "The source's own words",
    'Computer and related activities',
  ],
])(
  'the same five digits of a company %s are described by the vintage that they were given in',
  async (_, cin, vintage, description, division) => {
    const [company] = await database.db.query(
      'SELECT nic_vintage, nic_description, main_division_description FROM registry.company WHERE cin = $1',
      [cin],
    )
    expect(company).toEqual({ nic_vintage: vintage, nic_description: description, main_division_description: division })
    expect(await createCompanyDetailsReader(database.db)(cin)).toMatchObject({ NICDescription: description })
  },
)

test('a new list of one vintage leaves the other as it is', async () => {
  const text =
    'code,level,section,division,description,vintage\n72,division,K,72,Computer and related activities,2004\n72200,sub-class,K,72,Software,2004\n'
  const run = await ingest('nic', file('nic-2004.csv', text))
  expect(run).toMatchObject({ status: 'succeeded', updated: 1, unchanged: 1, closed: 0, scopes: ['2004'] })
  const same = await database.db.query(
    `SELECT vintage, description FROM reference.nic WHERE code = '72200' AND closed_on IS NULL ORDER BY vintage`,
  )
  expect(same).toEqual([
    { vintage: 2004, description: 'Software' },
    { vintage: 2008, description: research },
  ])
})

test('an activity given by its division or group is in that division', async () => {
  const monthly =
    'LLPIN,LLP Name,Founded,ROC Location,Status,Industrial Activity,Activity Description,State,District,Address'
  const lines = ['72', '722.0', '1110', '72200'].map(
    (code, index) => `AAC-000${index},A LLP,05-05-2010,Goa,Active,${code},Own words,Goa,North Goa,"Panaji, Goa"`,
  )
  await ingest('mca-companies', file('llps.csv', [monthly, ...lines, ''].join('\n')), { mode: 'delta' })
  const found = await database.db.query(
    `SELECT nic_code, main_division FROM registry.company WHERE company_type = 'LLP' ORDER BY cin`,
  )
  expect(found).toEqual([
    { nic_code: 72, main_division: '72' },
    { nic_code: 722, main_division: '72' },
    { nic_code: 1110, main_division: '01' },
    { nic_code: 72200, main_division: '72' },
  ])
})
