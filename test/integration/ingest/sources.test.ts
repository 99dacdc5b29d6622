import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registryFixture, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const one = async (table: string, key: string, value: string): Promise<Record<string, unknown>> => {
  const [row] = await database.db.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE ${key} = $1`, [value])
  if (!row) throw new Error(`${value} is not in ${table}`)
  return row
}
const company = (cin: string) => one('registry.company', 'cin', cin)
const takePins = () => ingest('pincodes', registryFixture('pincodes.csv'))
const takeNic = () => ingest('nic', registryFixture('nic.csv'))
const takeCompanies = () => ingest('mca-companies', registryFixture('mca-companies-2023.csv'), { asOf: '2025-10-01' })
const takeSixColumns = () =>
  ingest('mca-companies', registryFixture('mca-companies-six-columns.csv'), { asOf: '2025-11-01' })
const takeGst = () => ingest('gst-taxpayers', registryFixture('gst-taxpayers.csv'))
const takeDirectors = () => ingest('mca-directors', registryFixture('mca-directors.csv'))

beforeEach(() => emptyRegisters(database.db))

test('the PIN directory and the NIC list are sources like any other', async () => {
  const pins = await takePins()
  expect(pins).toMatchObject({ status: 'succeeded', rows_read: 7, inserted: 7, rejected: 0 })
  expect(await one('reference.pincode', 'pincode', '400020')).toMatchObject({
    district: 'Mumbai',
    state: 'Maharashtra',
  })
  const nic = await takeNic()
  expect(nic).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 3 })
  expect(await one('reference.nic', 'id', '2008:01110')).toMatchObject({ vintage: 2008, level: 'sub-class' })
})

test('every record of a dirty 2023+ snapshot is inserted, or rejected with its line, code and raw text', async () => {
  const run = await takeCompanies()
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 16, inserted: 10, rejected: 6, closed: 0 })
  const rejects = await listRejects(database.db, run.run_id)
  expect(rejects.map(({ line, code }) => [line, code])).toEqual([
    [6, 'cin_malformed'],
    [8, 'date_unreadable'],
    [9, 'duplicate_in_file'],
    [12, 'column_count'],
    [17, 'amount_unreadable'],
    [18, 'value_missing'],
  ])
  expect(rejects[0]?.message).toContain('U63040GA2006PTCOO5005')
  expect(rejects[3]?.raw).toBe('U74999GA2019PTC014010,TOO SHORT PRIVATE LIMITED,ROC Goa')
  expect(run.report).toMatchObject({
    rejects: { cin_malformed: 1, column_count: 1 },
    repaired: { mojibake: 1, stray_quotes: 1, company_id_case: 1, cell_line_break: 1 },
    unknown_words: { status: { 'Under hibernation': 1 } },
    header: { generation: '2023: data.gov.in API', extra: [], unknown: 0 },
  })
  expect(await stagingTables(database.db)).toEqual([])
})

test('a company row has its place, capital, NIC vintage and search form', async () => {
  await takePins()
  await takeNic()
  await takeCompanies()
  expect(await company('U85100GA2022PTC015001')).toMatchObject({
    company_type: 'Company',
    city: 'Bardez',
    district: 'North Goa',
    state: 'Goa',
    pincode: '403521',
    nic_code: 85100,
    nic_vintage: 2004,
    main_division: '85',
    authorised_capital: 1_000_000,
    roc_code: 'ROC Goa',
    listed: 'Unlisted',
  })
  expect(await company('U01110GA2023PTC015002')).toMatchObject({
    nic_code: 1110,
    nic_vintage: 2008,
    nic_description: 'Growing of cereals in the field',
    main_division: '01',
    city: 'Panaji',
  })
  expect(await company('U72200GA2010PTC006003')).toMatchObject({
    name: 'SOUTHERN LIGHT SOFTWARE DEVELOPMENT PRI VATE LIMITED',
    name_key: 'southern light software development',
    status: 'Struck Off',
    status_source: 'Strike Off',
    city: 'Margao',
    district: 'South Goa',
  })
  expect(await company('U55101GA2007PLC005004')).toMatchObject({
    authorised_capital: 130_000_000,
    paid_up_capital: 1_000_000_000,
    pincode: null,
    district: 'North Goa',
    city: 'Panaji',
  })
  expect(await company('U74999GA2019PTC014008')).toMatchObject({ status: 'Amalgamated' })
  expect(await company('U74999GA2019PTC014009')).toMatchObject({ name: 'SEA "BREEZE" TRADERS PRIVATE LIMITED' })
  expect(await company('U74999GA2019PTC014011')).toMatchObject({ name: 'TWO LINES OF NAME PRIVATE LIMITED' })
  expect(await company('AAC-3965')).toMatchObject({ company_type: 'LLP', category: null, nic_code: null, listed: null })
  expect(await company('U74999GA2019PTC014012')).toMatchObject({ name: 'SMALL LETTERS PRIVATE LIMITED' })
})

test('a six-column file updates what it covers, fills what the CIN says and closes nothing', async () => {
  await takePins()
  await takeCompanies()
  const run = await takeSixColumns()
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 2, updated: 1, closed: 0, scopes: [] })
  expect(await company('U85100GA2022PTC015001')).toMatchObject({
    status: 'Struck Off - Awaiting Publication',
    status_source: 'Strike Off-AwaitingPublication',
    authorised_capital: 1_500_000,
    registered_address: 'SHOP NO.5 WING A,   SANGOLDA RESIDENCY, SANGOLDA,BARDEZ,North Goa,Goa,403521-India',
    nic_vintage: 2004,
    city: 'Bardez',
  })
  expect(await company('U15123TN2022PTC154225')).toMatchObject({
    state: 'Tamil Nadu',
    authorised_capital: 9_000_000_000,
    nic_code: 15123,
    listed: 'Unlisted',
    incorporated_on: null,
  })
  expect(await company('L17099PN2004PLC126670')).toMatchObject({
    state: 'Maharashtra',
    listed: 'Listed',
    class: 'Public',
  })
})

test('GST registrations are read under the keys of the portal', async () => {
  await takePins()
  const run = await takeGst()
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 4, inserted: 3, rejected: 1 })
  expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 4, code: 'gstin_malformed' }])
  const table = 'registry.gst_taxpayer'
  expect(await one(table, 'gstin', '27AAACR5055K1Z7')).toMatchObject({
    kind: 'normal',
    pan: 'AAACR5055K',
    name_key: 'konkan petro',
    registered_on: '2017-07-01',
    cancelled_on: null,
    state: 'Maharashtra',
    state_code: '27',
    district: 'Mumbai',
    pincode: '400020',
    business_activities: ['Factory / Manufacturing', 'Wholesale Business', 'Export'],
    hsn_codes: ['2710', '2711'],
    sac_codes: [],
    address: '101, 1st, Harbour House, Marine Lines, Churchgate, Mumbai, Mumbai, Maharashtra, 400020',
  })
  expect(await one(table, 'gstin', '29AAICA3918J1ZE')).toMatchObject({
    status: 'Cancelled',
    status_source: 'Cancelled suo-moto',
    name_key: 'bengaluru seller services',
    district: 'Bengaluru Urban',
    cancelled_on: '2022-03-31',
  })
  expect(await one(table, 'gstin', '0717UNO00157UNO')).toMatchObject({ kind: 'uin', pan: null, state: 'Delhi' })
})

test('directors, directorships and contacts carry canonical identifiers', async () => {
  await takePins()
  const directors = await takeDirectors()
  expect(directors).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 2, rejected: 1 })
  expect(await one('registry.director', 'din', '00012345')).toMatchObject({
    first_name: 'ASHA',
    middle_name: 'RAMESH',
    last_name: 'KAMAT',
    full_name: 'ASHA RAMESH KAMAT',
    approved_on: '2020-01-05',
    born_on: '1980-02-14',
    citizen_of_india: 'Yes',
    state: 'Goa',
    district: 'North Goa',
  })
  expect(await one('registry.director', 'din', '00098765')).toMatchObject({
    status: 'Deactivated',
    approved_on: '2010-01-05',
  })

  const directorships = await ingest('mca-directorships', registryFixture('mca-directorships.csv'))
  expect(directorships).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 3 })
  expect(await one('registry.directorship', 'cin', 'AAC-3965')).toMatchObject({
    id: 'AAC-3965|00098765|Designated Partner|2015-06-01',
    ceased_on: null,
  })

  const contacts = await ingest('contacts', registryFixture('contacts.csv'))
  expect(contacts).toMatchObject({ status: 'succeeded', mode: 'delta', rows_read: 4, inserted: 3, rejected: 1 })
  expect(await one('registry.contact', 'id', 'company:U85100GA2022PTC015001:vendor')).toMatchObject({
    email: 'office@example.test',
    mobile: '+919812345678',
    mobiles: ['+919812345678'],
    phone: '+918322222222',
    landlines: ['+918322222222'],
  })
  expect(await one('registry.contact', 'id', 'director:00012345:vendor')).toMatchObject({ mobile: '+919812345679' })
})

test('directorships without the day of appointment are read as those with an empty one', async () => {
  const rows = (header: string, ...lines: string[]) => file('no-days.csv', [header, ...lines, ''].join('\n'))
  const cells = ['U85100GA2022PTC015001,00012345,Director', 'AAC-3965,00098765,Designated Partner']
  const without = await ingest('mca-directorships', rows('CIN,DIN,Designation', ...cells), { mode: 'delta' })
  expect(without).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 2, rejected: 0 })
  expect(await one('registry.directorship', 'id', 'AAC-3965|00098765|Designated Partner|')).toMatchObject({
    appointed_on: null,
  })
  const header = 'CIN,DIN,Designation,DateOfAppointment'
  const empty = await ingest('mca-directorships', rows(header, ...cells.map((row) => `${row},`)), { mode: 'delta' })
  expect(empty).toMatchObject({ status: 'succeeded', unchanged: 2, inserted: 0, updated: 0, rejected: 0 })
})

test('a name of one word is a last name, in a cell of full names and in cells of its parts', async () => {
  const names = async (run: { readonly run_id: number }) =>
    database.db.query(
      'SELECT first_name, middle_name, last_name, full_name FROM registry.director WHERE last_run_id = $1 ORDER BY din',
      [run.run_id],
    )
  const oneWord = { first_name: null, middle_name: null, last_name: 'ASHA', full_name: 'ASHA' }
  const twoWords = { first_name: 'ASHA', middle_name: null, last_name: 'KAMAT', full_name: 'ASHA KAMAT' }
  const whole = ['DIN,FullName,DINStatus', '8100001.0,ASHA,Approved', '8100002,ASHA KAMAT,Approved', '']
  const fromWhole = await ingest('mca-directors', file('whole.csv', whole.join('\n')), { mode: 'delta' })
  expect(await names(fromWhole)).toEqual([oneWord, twoWords])
  const parts = [
    'DIN,FirstName,MiddleName,LastName,DINStatus',
    '8100003,ASHA,,,Approved',
    '8100004,,,ASHA,Approved',
    '8100005,ASHA,,KAMAT,Approved',
    '8100007,,ASHA,,Approved',
    '',
  ]
  const fromParts = await ingest('mca-directors', file('parts.csv', parts.join('\n')), { mode: 'delta' })
  expect(await names(fromParts)).toEqual([oneWord, oneWord, twoWords, oneWord])
  // Without a cell for the last name, the word stays where it is.
  const first = ['DIN,FirstName,DINStatus', '8100006,ASHA,Approved', '']
  const fromFirst = await ingest('mca-directors', file('first.csv', first.join('\n')), { mode: 'delta' })
  expect(await names(fromFirst)).toMatchObject([{ first_name: 'ASHA', last_name: null }])
})

test('a person whose parts are not told has those of the full name, and never a name without a last one', async () => {
  const rows = [
    'DIN,FirstName,MiddleName,LastName,FullName,DINStatus',
    '8100011,,,,ASHA RAMESH KAMAT,Approved',
    '8100012,NA,,,ASHA,Approved',
    '8100013,ASHA,RAMESH,DE SOUZA,ASHA RAMESH DE SOUZA,Approved',
    '8100014,ASHA,RAMESH,,,Approved',
    '8100015,ASHA,,,ASHA KAMAT,Approved',
    '',
  ]
  const run = await ingest('mca-directors', file('both.csv', rows.join('\n')), { mode: 'delta' })
  const names = await database.db.query(
    'SELECT first_name AS first, middle_name AS middle, last_name AS last FROM registry.director WHERE last_run_id = $1 ORDER BY din',
    [run.run_id],
  )
  expect(names).toEqual([
    { first: 'ASHA', middle: 'RAMESH', last: 'KAMAT' },
    { first: null, middle: null, last: 'ASHA' },
    { first: 'ASHA', middle: 'RAMESH', last: 'DE SOUZA' },
    { first: 'ASHA', middle: null, last: 'RAMESH' },
    { first: 'ASHA', middle: null, last: 'KAMAT' },
  ])
})

test('numbers that a spreadsheet wrote with a point are read wherever a number is', async () => {
  const pins = ['pincode,state,district,offices', '403507.0,GOA,NORTH GOA,12.0', 'unknown,GOA,NORTH GOA,1', '']
  const directory = await ingest('pincodes', file('float-pins.csv', pins.join('\n')), { mode: 'delta' })
  expect(directory).toMatchObject({ inserted: 1, rejected: 1 })
  expect((await listRejects(database.db, directory.run_id)).map(({ line, code }) => [line, code])).toEqual([
    [3, 'number_unreadable'],
  ])
  expect(await one('reference.pincode', 'pincode', '403507')).toMatchObject({ id: '403507|North Goa|Goa', offices: 12 })
  const directors = ['DIN,FullName,DINStatus,Pincode', '8100027.0,ASHA KAMAT,Approved,403507.0', '']
  const run = await ingest('mca-directors', file('float.csv', directors.join('\n')), { mode: 'delta' })
  expect(run.report['repaired']).toEqual({ din_lost_zeros: 1, din_point: 1 })
  expect(await one('registry.director', 'din', '08100027')).toMatchObject({ pincode: '403507', district: 'North Goa' })
  const companies = readFileSync(registryFixture('mca-companies-2023.csv'), 'utf8').split('\n').slice(0, 2).join('\n')
  await ingest('mca-companies', file('float-nic.csv', companies.replace(',85100,', ',1110.0,')), { mode: 'delta' })
  expect(await one('registry.company', 'cin', 'U85100GA2022PTC015001')).toMatchObject({
    nic_code: 1110,
    main_division: '01',
  })
})

test('every new registration with a date stands in the feed, once, with its territory', async () => {
  for (const take of [takeCompanies, takeSixColumns, takeGst, takeDirectors]) await take()
  const feed = await database.db.query(
    `SELECT dataset, identifier, registered_on, state FROM feed.registration ORDER BY dataset, identifier`,
  )
  expect(feed).toHaveLength(10 + 3 + 2)
  expect(feed).toContainEqual({
    dataset: 'gst',
    identifier: '29AAICA3918J1ZE',
    registered_on: '2018-12-13',
    state: 'Karnataka',
  })
})

test('values that their column cannot hold are rejected by what is wrong with them', async () => {
  const contacts = [
    'entity,identifier,email',
    'person,1,a@example.test',
    'director,ABC,b@example.test',
    'gst,,c@example.test',
    '',
  ]
  const run = await ingest('contacts', file('contacts.csv', contacts.join('\n')))
  expect(run).toMatchObject({ rows_read: 3, inserted: 0, rejected: 3 })
  expect((await listRejects(database.db, run.run_id)).map(({ line, code, message }) => [line, code, message])).toEqual([
    [2, 'value_not_allowed', '"person" is none of company, director, gst (entity)'],
    [3, 'identifier_malformed', '"ABC" is no identifier of this entity'],
    [4, 'identifier_malformed', 'an empty cell is no identifier of this entity'],
  ])
  const pins = ['pincode,state,district,offices', '403001,GOA,NORTH GOA,nine', '403002,GOA,NORTH GOA,100001', '']
  const directory = await ingest('pincodes', file('pins.csv', pins.join('\n')), { mode: 'delta' })
  expect((await listRejects(database.db, directory.run_id)).map(({ line, code }) => [line, code])).toEqual([
    [2, 'number_unreadable'],
    [3, 'number_unreadable'],
  ])
})
