/** The headers that files of the registers come with, one small file each, and what the register then holds. */
import { beforeEach, expect, test } from 'vitest'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

const goa = {
  cin: 'U72900GA2021PTC014567',
  name: 'MANDOVI SYSTEMS PRIVATE LIMITED',
  incorporated_on: '2021-04-05',
}
const trader = {
  gstin: '27AAACR5055K1Z7',
  legal_name: 'KONKAN PETRO LIMITED',
  status: 'Active',
  registered_on: '2017-07-01',
}

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  [
    'master data of the portal',
    `CIN,Company Name,ROC Code,Registration Number,Company Category,Company SubCategory,Class of Company,Authorised Capital(Rs),Paid up Capital(Rs),Number of Members,Date of Incorporation,Registered Address,Email Id,Whether Listed or not,Date of last AGM,Date of Balance Sheet,Company Status(for efiling)
U72900GA2021PTC014567,MANDOVI SYSTEMS PRIVATE LIMITED,RoC-Goa,14567,Company limited by Shares,Non-govt company,Private,"10,00,000",100000,0,05/04/2021,"1 X ROAD,PANAJI,North Goa,Goa,403001-India",info@mandovi.example,Unlisted,30/09/2024,31/03/2024,Active
`,
    {
      ...goa,
      status: 'Active',
      roc_code: 'ROC Goa',
      authorised_capital: 1_000_000,
      class: 'Private',
      last_agm_on: '2024-09-30',
      balance_sheet_on: '2024-03-31',
      listed: 'Unlisted',
    },
  ],
  [
    'master data of the portal since 2023, which says of the stock exchange what the identifier does not',
    `CIN,Company Name,ROC Name,Registration Number,Date of Incorporation,Email Id,Registered Address,Listed in Stock Exchange(s) (Y/N),Category of Company,Subcategory of the Company,Class of Company,ACTIVE compliance,Authorised Capital (Rs),Paid up Capital (Rs),Date of last AGM,Date of Balance Sheet,Company Status
U72900GA2021PTC014567,MANDOVI SYSTEMS PRIVATE LIMITED,ROC Goa,14567,05/04/2021,info@mandovi.example,"1 X ROAD,PANAJI,North Goa,Goa,403001-India",Yes,Company limited by shares,Non-government company,Private,ACTIVE Compliant,1000000,500000,30/09/2023,31/03/2023,Active
`,
    { ...goa, status: 'Active', roc_code: 'ROC Goa', paid_up_capital: 500_000, listed: 'Listed' },
  ],
  [
    'master data of the portal, with labels over two lines',
    `"CIN","Company
Name","ROC Name","Class Of Company","Date Of Incorporation","Registered Address","Company
Status"
"U72900GA2021PTC014567","MANDOVI SYSTEMS PRIVATE LIMITED","ROC Goa","Private","05/04/2021","X,PANAJI,North Goa,Goa,403001-India","Active"
`,
    { ...goa, status: 'Active' },
  ],
  [
    'state-wise files with years of their annual return and balance sheet',
    `CORPORATE_IDENTIFICATION_NUMBER,COMPANY_NAME,COMPANY_STATUS,COMPANY_CLASS,COMPANY_CATEGORY,COMPANY_SUB_CATEGORY,DATE_OF_REGISTRATION,REGISTERED_STATE,AUTHORIZED_CAP,PAIDUP_CAPITAL,INDUSTRIAL_CLASS,PRINCIPAL_BUSINESS_ACTIVITY_AS_PER_CIN,REGISTERED_OFFICE_ADDRESS,REGISTRAR_OF_COMPANIES,EMAIL_ADDR,LATEST_YEAR_AR,LATEST_YEAR_BS
U72900GA2021PTC014567,MANDOVI SYSTEMS PRIVATE LIMITED,ACTV,Private,Company limited by Shares,Non-govt company,05-04-2021,Goa,100000,100000,72900,Business Services,"1 X ROAD, PANAJI, Goa, India, 403001",RoC-Goa,info@mandovi.example,2023,31-03-2024
`,
    {
      ...goa,
      status: 'Active',
      last_agm_on: '2023-03-31',
      balance_sheet_on: '2024-03-31',
      email: 'info@mandovi.example',
    },
  ],
  [
    'a monthly list',
    `S.No,company_uid,COMPANY NAME,DATE OF REGISTRATION,MONTH NAME,STATE,ROC,CATEGORY,COMPANY TYPE,AUTHORIZED CAPITAL,PAIDUP CAPITAL,ACTIVITY CODE,ACTIVITY DESCRIPTION,REGISTERED OFFICE ADDRESS,EMAIL
1,U72900GA2021PTC014567,MANDOVI SYSTEMS PRIVATE LIMITED,05/04/2021,April,Goa,ROC Goa,Company limited by shares,Non-government company,100000,100000,72900,Business Services,"X,PANAJI,North Goa,Goa,403001-India",info@mandovi.example
`,
    { ...goa, sub_category: 'Non-government company', state: 'Goa' },
  ],
  [
    'a list of LLPs with their contribution',
    `LLPIN,LLP NAME,DATE OF REGISTRATION,ROC,INDUSTRIAL ACTIVITY,ACTIVITY DESCRIPTION,TOTAL OBLIGATION OF CONTRIBUTION,NUMBER OF PARTNERS,STATE,DISTRICT,ADDRESS
AAC-3965,ZUARI ADVISORS LLP,05/04/2021,ROC Goa,74140,Consultancy,100000,2,Goa,North Goa,"X,PANAJI,North Goa,Goa,403001"
`,
    { cin: 'AAC-3965', name: 'ZUARI ADVISORS LLP', incorporated_on: '2021-04-05', roc_code: 'ROC Goa' },
  ],
  [
    'a title and a note above the header',
    `List of companies registered in Goa\n\n"As on 31.10.2025, provisional",,,\nCIN,Company Name,Date of Registration,ROC\n${goa.cin},${goa.name},05/04/2021,ROC Goa\n`,
    goa,
  ],
  [
    'a title above a header with semicolons',
    `List of companies registered in Goa\nCIN;Company Name;Date of Registration;ROC\n${goa.cin};${goa.name};05/04/2021;ROC Goa\n`,
    goa,
  ],
  [
    'names in full width',
    `ＣＩＮ,Ｃｏｍｐａｎｙ Ｎａｍｅ,Ｄａｔｅ of Registration,ＲＯＣ\n${goa.cin},${goa.name},05/04/2021,ROC Goa\n`,
    goa,
  ],
  [
    'names in other cases, with marks, blanks and underscores around them',
    `\uFEFF"  cin ","Company\u00A0Name","DATE_OF__REGISTRATION "," r.o.c. "\n${goa.cin},${goa.name},05/04/2021,ROC Goa\n`,
    goa,
  ],
])('of companies: %s', async (_, text, expected) => {
  const run = await ingest('mca-companies', file('companies.csv', text))
  expect(run).toMatchObject({ status: 'succeeded', inserted: 1, rejected: 0 })
  expect(await database.db.query('SELECT * FROM registry.company')).toMatchObject([expected])
})

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  [
    'five columns in words',
    `GSTIN,Legal Name,Trade Name,Date of Registration,Status\n27AAACR5055K1Z7,KONKAN PETRO LIMITED,KONKAN FUELS,01/07/2017,Active\n`,
    { ...trader, trade_name: 'KONKAN FUELS' },
  ],
  [
    'the words of the search page',
    `GSTIN/UIN,Legal Name of Business,Trade Name,Effective Date of registration,Constitution of Business,GSTIN / UIN Status,Taxpayer Type,Nature of Business Activities,Principal Place of Business,State Jurisdiction,Center Jurisdiction,Date of Cancellation
27AAACR5055K1Z7,KONKAN PETRO LIMITED,KONKAN FUELS,01/07/2017,Public Limited Company,Active,Regular,Retail Business;Export,"1 X ROAD, MUMBAI, Maharashtra, 400021",Ward 1,Range 2,
`,
    {
      ...trader,
      taxpayer_type: 'Regular',
      constitution: 'Public Limited Company',
      business_activities: ['Retail Business', 'Export'],
      address: '1 X ROAD, MUMBAI, Maharashtra, 400021',
      state_jurisdiction: 'Ward 1',
      centre_jurisdiction: 'Range 2',
    },
  ],
  [
    'an answer under words',
    JSON.stringify(
      {
        success: true,
        data: {
          GSTIN: '27AAACR5055K1Z7',
          'Legal Name': 'KONKAN PETRO LIMITED',
          'Date of Registration': '01/07/2017',
          Status: 'Active',
        },
      },
      null,
      1,
    ),
    trader,
  ],
])('of GST registrations: %s', async (_, text, expected) => {
  const run = await ingest('gst-taxpayers', file('gst.txt', text))
  expect(run).toMatchObject({ status: 'succeeded', inserted: 1, rejected: 0 })
  expect(await database.db.query('SELECT * FROM registry.gst_taxpayer')).toMatchObject([expected])
})

test('an answer of data.gov.in gives the rows of its CSV', async () => {
  const header = [
    'CIN',
    'CompanyName',
    'CompanyROCcode',
    'CompanyCategory',
    'CompanyRegistrationdate_date',
    'Registered_Office_Address',
    'Listingstatus',
    'CompanyStatus',
    'nic_code',
  ]
  const cells = [
    goa.cin,
    goa.name,
    'ROC Goa',
    'Company limited by shares',
    '2021-04-05',
    'X PANAJI North Goa Goa 403001-India',
    'Unlisted',
    'Active',
    '72900',
  ]
  await ingest('mca-companies', file('one.csv', `${header.join(',')}\n${cells.join(',')}\n`))
  const answer = {
    index_name: '4dbe5667',
    title: 'Company Master Data',
    field: header.map((id) => ({ name: id, id, type: 'keyword' })),
    ...{ total: 1, count: 1, limit: '10', offset: '0' },
    records: [Object.fromEntries(header.map((name, at) => [name, cells[at]]))],
  }
  const run = await ingest('mca-companies', file('one.json', JSON.stringify(answer, null, 2)))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 1, unchanged: 1, report: { header: { unknown: 0 } } })
  const page = file('page.json', JSON.stringify({ ...answer, total: '11879' }, null, 1))
  expect(await ingest('mca-companies', page)).toMatchObject({
    status: 'needs_approval',
    error: { reasons: [expect.stringContaining('the file holds 1 of the 11,879 records of its list')] },
  })
  expect(await ingest('mca-companies', page, { mode: 'delta', force: true })).toMatchObject({ status: 'succeeded' })
})

test('members of a zip with a title each are one list', async () => {
  const of = (month: string, rows: string) =>
    `List of companies, ${month}\nCIN,Company Name,Date of Registration,ROC\n${rows}\n`
  const other = 'U72900GA2021PTC014568,OTHER SYSTEMS PRIVATE LIMITED,06/04/2021,ROC Goa'
  const zipped = zipOf([
    { name: 'a.csv', content: Buffer.from(of('April', `${goa.cin},${goa.name},05/04/2021,ROC Goa`)) },
    { name: 'b.csv', content: Buffer.from(of('May', other)) },
  ])
  expect(await ingest('mca-companies', file('months.zip', zipped))).toMatchObject({
    status: 'succeeded',
    inserted: 2,
    rejected: 0,
  })
})

const odd = 'Firm No;Firm;Begun;Where=Kept;Lage\n'
const oddRow = `${goa.cin};${goa.name};05/04/2021;ROC Goa;Active\n`
const columns = { 'firm no': 'id', Firm: 'name', Begun: 'registeredOn', 'Where=Kept': 'registrar', Lage: 'status' }

test('columns that an operator maps are read so, and in later files that have them, packed or not', async () => {
  await expect(ingest('mca-companies', file('odd.csv', odd + oddRow))).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
  })
  const run = await ingest('mca-companies', file('odd.csv', odd + oddRow), { columns })
  expect(run).toMatchObject({
    status: 'succeeded',
    inserted: 1,
    column_map: columns,
    report: { header: { generation: 'columns as mapped by an operator', unknown: 0 } },
  })
  expect(await database.db.query('SELECT * FROM registry.company')).toMatchObject([{ ...goa, status: 'Active' }])
  const next = `A title\nExtra;${odd}x;${oddRow.replace('Active', 'Dormant')}`
  const zipped = zipOf([{ name: 'next.csv', content: next }])
  expect(await ingest('mca-companies', file('next.zip', zipped), { asOf: run.as_of })).toMatchObject({
    status: 'succeeded',
    updated: 1,
    column_map: columns,
  })
  const plain = `CIN,Company Name,Date of Registration,ROC\n${goa.cin},${goa.name},05/04/2021,ROC Goa\n`
  expect(await ingest('mca-companies', file('plain.csv', plain))).toMatchObject({ unchanged: 1, column_map: null })
})

test('a mapped column stands before the names that its field and itself are known by', async () => {
  const text = `CIN,Status,Name,Company Name,Date of Registration\n${goa.cin},${goa.name},Active,WRONG,05/04/2021\n`
  await ingest('mca-companies', file('swapped.csv', text), { columns: { Status: 'name', Name: 'status' } })
  expect(await database.db.query('SELECT * FROM registry.company')).toMatchObject([{ ...goa, status: 'Active' }])
})

test('a map is forgotten with the runs that were read by it', async () => {
  const path = file('odd.csv', odd + oddRow)
  const run = await ingest('mca-companies', path, { columns })
  const asked = { runId: run.run_id, through: false, reason: 'the wrong columns', requestedBy: 'operator' }
  const { run_id } = await requestUndo(database.db, queue, asked)
  await runSnapshot(dependencies(), run_id)
  await expect(ingest('mca-companies', path)).rejects.toMatchObject({ code: 'HEADER_MISMATCH' })
})

test('bytes that were read by another map are no known content, and those of the same map are', async () => {
  const path = file('odd.csv', odd + oddRow)
  const confused = { ...columns, Firm: 'status', Lage: 'name' }
  await ingest('mca-companies', path, { columns: confused })
  expect(await database.db.query('SELECT * FROM registry.company')).toMatchObject([{ name: 'Active' }])
  expect(await ingest('mca-companies', path, { columns })).toMatchObject({ status: 'succeeded', updated: 1 })
  expect(await database.db.query('SELECT * FROM registry.company')).toMatchObject([{ ...goa, status: 'Active' }])
  expect(await ingest('mca-companies', path, { columns })).toMatchObject({ status: 'no_op' })
  expect(await ingest('mca-companies', path)).toMatchObject({ status: 'no_op' })
  expect(await ingest('mca-companies', path, { columns: confused })).toMatchObject({ status: 'succeeded', updated: 1 })
  await expect(ingest('mca-companies', path, { columns: { ...columns, Title: 'class' } })).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
  })
})

test('a header that nobody knows is answered with the way to map its columns, unless it is one of another source', async () => {
  await expect(ingest('mca-companies', file('odd.csv', odd + oddRow))).rejects.toMatchObject({
    message: expect.stringMatching(/Missing: [\s\S]*--map COLUMN=field/),
  })
  const taxpayers = 'GSTIN,Legal Name,Trade Name,Date of Registration,Status\n'
  await expect(ingest('mca-companies', file('gst.csv', taxpayers))).rejects.toMatchObject({
    message: expect.not.stringContaining('--map'),
  })
})

test('a map is refused where the source has no such field, or the file no such column', async () => {
  const path = file('odd.csv', odd + oddRow)
  await expect(ingest('mca-companies', path, { columns: { Firm: 'firm' } })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/mca-companies has no field "firm" for the column "Firm"\. Fields: id, name, /),
  })
  await expect(ingest('mca-companies', path, { columns: { Firm: 'name', Lage: 'name' } })).rejects.toMatchObject({
    message: 'Two columns fill name; name one of them.',
  })
  await expect(ingest('mca-companies', path, { columns: { 'Firm No': 'id', firm_no: 'name' } })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The column "Firm No" is named twice, for id and for name; name one of them.',
  })
  await expect(ingest('mca-companies', path, { columns: { 'Firm No': 'id', Title: 'name' } })).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
    message: expect.stringContaining('Missing: Title.'),
  })
})

test.each([
  ['mca-companies', 'gst-taxpayers', 'GSTIN,Legal Name,Trade Name,Date of Registration,Status\n'],
  ['gst-taxpayers', 'mca-companies', 'cin,company_name,status,authorized_capital,paidup_capital,class\n'],
  ['mca-companies', 'mca-directorships', 'CIN,DIN,Designation\n'],
  ['mca-directors', 'pincodes', 'pincode,state,district,offices\n'],
])(
  'a file brought to %s that is one of %s is named as that, with the command that ingests it',
  async (source, other, header) => {
    await expect(ingest(source, file('other.csv', `${header}a,b,c,d,e,f\n`))).rejects.toMatchObject({
      code: 'HEADER_MISMATCH',
      message: expect.stringContaining(`npx panji ingest ${other} `),
      extra: { source: other },
    })
  },
)
