import { beforeAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { type TestCell, workbookOf, zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const always = [
  'cin',
  'company_type',
  'name',
  'name_key',
  'roc_code',
  'incorporated_on',
  'state',
  'pincode',
  'district',
]
const ofCompanies = ['class', 'category', 'authorised_capital', 'paid_up_capital', 'listed', 'nic_code', 'nic_vintage']
const clinic = 'U85100GA2002PTC003101'
const hotel = 'U55101GA2023PLC005004'
const llp = 'AAC-3965'

const rowsOf = (columns: readonly string[], ...ids: readonly string[]): Promise<unknown[]> =>
  database.db.query(`SELECT ${columns.join(', ')} FROM registry.company WHERE cin = ANY($1) ORDER BY cin`, [ids])

/** Ingests into an empty register and answers the canonical columns. */
async function rowsFrom(name: string, content: Buffer | string, columns: readonly string[], ...ids: readonly string[]) {
  await database.db.execute('TRUNCATE registry.company, ingest.scope')
  const run = await ingest('mca-companies', file(name, content), { force: true })
  expect(run).toMatchObject({ status: 'succeeded', rejected: 0, inserted: ids.length })
  return rowsOf(columns, ...ids)
}

const newest = `CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanySubCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,CompanyIndian/Foreign Company,nic_code,CompanyIndustrialClassification
${clinic},CALANGUTE CLINIC PRIVATE LIMITED,ROC Goa,Company limited by shares,Non-government company,Private,30000000.00,100000.00,2002-01-05,"12 BEACH ROAD,CALANGUTE,North Goa,Goa,403516-India",Unlisted,Active,goa,Indian,85100,Health
${hotel},MIRAMAR HOTELS LIMITED,ROC Goa,Company limited by shares,Non-government company,Public,1000000000.00,500000.00,2023-12-13,"1 MG ROAD,PANAJI,North Goa,Goa,403001-India",Unlisted,Strike Off,goa,Indian,55101,Hotels
`
const newestLlp = `CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code
${llp},HARBOUR VIEW LLP,ROC Goa,,2022-11-23,"1 MG ROAD,PANAJI,North Goa,Goa,403001-India",,Active,goa,
`
const of2014 = `"CORPORATE_IDENTIFICATION_NUMBER","DATE_OF_REGISTRATION","COMPANY_NAME","COMPANY_STATUS","COMPANY_CLASS","COMPANY_CATEGORY","AUTHORIZED_CAPITAL","PAIDUP_CAPITAL","REGISTERED_STATE","REGISTRAR_OF_COMPANIES","PRINCIPAL_BUSINESS_ACTIVITY","REGISTERED_OFFICE_ADDRESS","SUB_CATEGORY"
"${clinic}","5-01-2002","CALANGUTE CLINIC PRIVATE LIMITED","ACTIVE","Private","Company limited by shares","30,000,000.00","1,00,000.00","Goa","RoC-Goa","Health","12 BEACH ROAD CALANGUTE GOA 403516",NA
"${hotel}","13-12-2023","MIRAMAR HOTELS LIMITED","STRIKE OFF","Public","Company limited by shares","1E+9","5,00,000.00","Goa","RoC-Goa","Hotels","1 MG ROAD PANAJI GOA 403001",NA
`
const of2018 = `CORPORATE_IDENTIFICATION_NUMBER,COMPANY_NAME,COMPANY_STATUS,COMPANY_CLASS,COMPANY_CATEGORY,COMPANY_SUB_CATEGORY,DATE_OF_REGISTRATION,REGISTERED_STATE,AUTHORIZED_CAP,PAIDUP_CAPITAL,INDUSTRIAL_CLASS,PRINCIPAL_BUSINESS_ACTIVITY_AS_PER_CIN,REGISTERED_OFFICE_ADDRESS,REGISTRAR_OF_COMPANIES,EMAIL_ADDR,LATEST_YEAR_ANNUAL_RETURN,LATEST_YEAR_FINANCIAL_STATEMENT
${clinic},CALANGUTE CLINIC PRIVATE LIMITED,ACTV,Private,Company limited by shares,Non-govt company,05-01-2002,Goa,30000000,100000,85100,Health,12 BEACH ROAD CALANGUTE GOA 403516,RoC-Goa,NA,NA,NA
${hotel},MIRAMAR HOTELS LIMITED,STOF,Public,Company limited by shares,Non-govt company,13-12-2023,Goa,1000000000,500000,55101,Hotels,1 MG ROAD PANAJI GOA 403001,RoC-Goa,NA,NA,NA
`
const day = (serial: number): TestCell => ({ attributes: 's="4"', inside: `<v>${serial}</v>` })
const amount = (value: number): TestCell => ({ attributes: 's="3"', inside: `<v>${value}</v>` })
const monthlyCompanies = workbookOf([
  {
    name: 'Companies',
    rows: {
      1: 'CIN,COMPANY NAME,DATE OF REGISTRATION,MONTH NAME,STATE,ROC,CATEGORY,CLASS,COMPANY TYPE,AUTHORIZED CAPITAL,PAIDUP CAPITAL,ACTIVITY CODE,ACTIVITY DESCRIPTION,REGISTERED OFFICE ADDRESS,EMAIL'.split(
        ',',
      ),
      2: [
        clinic,
        'CALANGUTE CLINIC PRIVATE LIMITED',
        day(37_261),
        'JANUARY',
        'Goa',
        'ROC Goa',
        'Company limited by shares',
        'Private',
        'Non-government company',
        amount(30_000_000),
        amount(100_000),
        '85100',
        'Health',
        '12 BEACH ROAD_x000D_\nCALANGUTE GOA 403516',
        '',
      ],
      3: [
        hotel,
        'MIRAMAR HOTELS LIMITED',
        day(45_273),
        'DECEMBER',
        'Goa',
        'ROC Goa',
        'Company limited by shares',
        'Public',
        'Non-government company',
        amount(1e9),
        amount(500_000),
        '55101',
        'Hotels',
        '1 MG ROAD PANAJI GOA 403001',
        '',
      ],
    },
  },
])
const monthlyLlps = workbookOf([
  {
    name: 'LLP',
    rows: {
      1: 'LLPIN,LLP Name,Founded,ROC Location,Status,Industrial Activity,Activity Description,Description,Obligation Of Contribution,Number Of Partners,Number Of Designated Partners,State,District,Address'.split(
        ',',
      ),
      2: [
        llp,
        'HARBOUR VIEW LLP',
        day(44_888),
        'ROC Goa',
        'Active',
        '',
        '',
        '',
        '100000',
        '2',
        '2',
        'Goa',
        'North Goa',
        '1 MG ROAD PANAJI GOA 403001',
      ],
    },
  },
])

beforeAll(async () => {
  await ingest('pincodes', registryFixture('pincodes.csv'))
})

test.each([
  ['2014', of2014],
  ['2018', of2018],
])('the generation of %s gives the canonical rows of the newest one', async (name, text) => {
  const columns = [...always, ...ofCompanies, 'status']
  const expected = await rowsFrom('newest.csv', newest, columns, clinic, hotel)
  expect(expected[0]).toMatchObject({ status: 'Struck Off', incorporated_on: '2023-12-13', nic_vintage: 2008 })
  expect(await rowsFrom(`${name}.csv`, text, columns, clinic, hotel)).toEqual(expected)
})

test('the monthly list of companies gives the same rows, as a workbook and as one inside a zip', async () => {
  const columns = [...always, ...ofCompanies]
  const expected = await rowsFrom('newest.csv', newest, columns, clinic, hotel)
  expect(await rowsFrom('month.xlsx', monthlyCompanies, columns, clinic, hotel)).toEqual(expected)
  const zip = zipOf([{ name: 'month.xlsx', content: monthlyCompanies }])
  expect(await rowsFrom('month.zip', zip, columns, clinic, hotel)).toEqual(expected)
})

test('the monthly list of LLPs gives the rows of the newest generation', async () => {
  const columns = [...always, 'status']
  const expected = await rowsFrom('newest-llp.csv', newestLlp, columns, llp)
  expect(expected[0]).toMatchObject({ company_type: 'LLP', district: 'North Goa', incorporated_on: '2022-11-23' })
  expect(await rowsFrom('llps.xlsx', monthlyLlps, columns, llp)).toEqual(expected)
})
