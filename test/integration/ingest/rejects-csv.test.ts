import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { readRejectPage, rejectCsvParts } from '../../../src/ingest/conduct/read-rejects.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

type Row = Record<string, string>
async function csvOf(runId: number): Promise<string> {
  return (await Array.fromAsync(await rejectCsvParts(database.as('panji_api'), { runId }))).join('')
}
const exported = async (runId: number) => parse(await csvOf(runId), { columns: true }) as Row[]
const only = (rows: readonly Row[], line: number): Row => {
  const found = rows.find((row) => row['line'] === String(line))
  if (!found) throw new Error(`line ${line} is not among the rejects`)
  return found
}

test('rejects of every step, fixed in their export, come in as a delta and leave nothing out', async () => {
  const run = await ingest('mca-companies', registryFixture('mca-companies-2023.csv'), { asOf: '2025-10-01' })
  const rows = await exported(run.run_id)
  expect(rows.map(({ line, code }) => [line, code])).toEqual([
    ['6', 'cin_malformed'],
    ['8', 'date_unreadable'],
    ['9', 'duplicate_in_file'],
    ['12', 'column_count'],
    ['17', 'amount_unreadable'],
    ['18', 'value_missing'],
  ])
  expect(only(rows, 6)).toMatchObject({ CIN: 'U63040GA2006PTCOO5005', CompanyRegistrationdate_date: '2006-03-30' })
  expect(only(rows, 12)).toMatchObject({ CompanyName: 'TOO SHORT PRIVATE LIMITED', CompanyCategory: '' })
  expect(only(rows, 18)).toMatchObject({ CompanyName: '   ', AuthorizedCapital: '1000000.00' })

  const fixed = rows
    .filter(({ code }) => code !== 'duplicate_in_file')
    .map((row) => {
      if (row['line'] === '6') return { ...row, CIN: 'U63040GA2006PTC005005' }
      if (row['line'] === '8') return { ...row, CompanyRegistrationdate_date: '2019-02-28' }
      if (row['line'] === '17') return { ...row, AuthorizedCapital: '10,00,000.00' }
      return { ...row, CompanyName: 'FOUND AGAIN "IN", THE OFFICE' }
    })
  const path = file('fixed.csv', stringify(fixed, { header: true }))
  const again = await ingest('mca-companies', path, { asOf: '2025-10-01', mode: 'delta' })
  expect(again).toMatchObject({ status: 'succeeded', rows_read: 5, inserted: 5, rejected: 0, closed: 0 })
  // The columns of the export are its own, and none that the publisher added.
  expect(again.report).toMatchObject({ header: { extra: [], unknown: 0 }, header_drift: null })
  const [company] = await database.db.query(
    `SELECT name, registered_address FROM registry.company WHERE cin = 'U74999GA2019PTC014014'`,
  )
  expect(company).toEqual({
    name: 'FOUND AGAIN "IN", THE OFFICE',
    registered_address: '1 MG ROAD,PANAJI,North Goa,Goa,403001-India',
  })
})

test('what an export adds is no drift of its source: neither where it comes in, nor in the file after it, nor exported once more', async () => {
  const header = 'cin,company_name,status,authorized_capital,paidup_capital,class,remark'
  const row = (n: number, name = 'A LIMITED') => `U85100GA2022PTC01600${n},${name},Active,1,1,Private,x`
  const delta = (name: string, text: string) => ingest('mca-companies', file(name, text), { mode: 'delta' })
  const first = await delta('first.csv', `${header}\n${row(1)}\n${row(2, '')}\n`)
  expect(first).toMatchObject({ rejected: 1, report: { header: { unknown: 1 } } })
  const again = await delta('again.csv', await csvOf(first.run_id))
  expect(again).toMatchObject({ rejected: 1, report: { header: { unknown: 1 }, header_drift: null } })
  const twice = await delta('twice.csv', await csvOf(again.run_id))
  expect(twice).toMatchObject({ rejected: 1, report: { header: { unknown: 1 }, header_drift: null } })
  const after = await delta('after.csv', `${header}\n${row(3)}\n`)
  expect(after).toMatchObject({ inserted: 1, report: { header: { unknown: 1 }, header_drift: null } })
  // Beside them a column that was added is told as ever, and one alone that is called as one of theirs, too.
  const fixed = (await csvOf(twice.run_id)).replace('remark', 'other_remark')
  expect(await delta('fixed.csv', fixed)).toMatchObject({
    report: { header_drift: { unknown_added: 1, unknown_removed: 1 } },
  })
  const raw = await delta('raw.csv', `${header.replace('remark', 'raw')}\n${row(4)}\n`)
  expect(raw).toMatchObject({ report: { header: { unknown: 1 }, header_drift: { unknown_added: 1 } } })
})

test('a reject found in SQL is exported with the values as the file had them on one line, quotes and blanks included, formulas disarmed', async () => {
  const lines = [
    'cin,company_name,status,authorized_capital,paidup_capital,class,remark',
    '" U63040GA2006PTCOO5005 ","SAYS ""HELLO"", AND',
    'GOES ON",NA,"1,00,000.00",,Private,"  =1+1 "',
    '',
  ]
  const run = await ingest('mca-companies', file('quoted.csv', lines.join('\n')), { asOf: '2025-11-01' })
  expect(await exported(run.run_id)).toMatchObject([
    {
      cin: ' U63040GA2006PTCOO5005 ',
      company_name: 'SAYS "HELLO", AND GOES ON',
      status: 'NA',
      authorized_capital: '1,00,000.00',
      paidup_capital: '',
      remark: "'  =1+1 ",
      line: '2',
      code: 'cin_malformed',
    },
  ])
})

test('rejects of JSON Lines are exported under the paths of their values and come in as CSV', async () => {
  const run = await ingest('gst-taxpayers', registryFixture('gst-taxpayers.jsonl'))
  const rows = await exported(run.run_id)
  expect(only(rows, 3)).toMatchObject({ gstin: '27AABCU9603R1ZM', lgnm: 'WRONG CHECK DIGIT LIMITED' })
  expect(only(rows, 6)).toMatchObject({
    gstin: '',
    code: 'json_unreadable',
    raw: '{"gstin":"29AABCF8078M2ZW","lgnm":"CUT OFF',
  })
  const fixed = [
    { ...only(rows, 3), gstin: '27AABCU9603R1ZN', 'pradr.addr.stcd': 'Maharashtra', nba: 'Export;Import' },
    { ...only(rows, 6), gstin: '29AABCF8078M2ZW', lgnm: 'WHOLE', dty: 'Regular', sts: 'Active', rgdt: '01/07/2017' },
  ]
  const again = await ingest('gst-taxpayers', file('gst.csv', stringify(fixed, { header: true })), { mode: 'delta' })
  expect(again).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 2, rejected: 0 })
  const [taxpayer] = await database.db.query(
    `SELECT state, business_activities FROM registry.gst_taxpayer WHERE gstin = '27AABCU9603R1ZN'`,
  )
  expect(taxpayer).toEqual({ state: 'Maharashtra', business_activities: ['Export', 'Import'] })
})

test('a column of the source that is named like one of the export stays the source its own', async () => {
  const text = 'code,level,section,division,description\n01110,class,A,one,Cereals\n'
  const run = await ingest('nic', file('nic.csv', text))
  expect(run).toMatchObject({ rejected: 1 })
  const csv = await csvOf(run.run_id)
  expect(csv.split('\n')[0]).toBe('code,level,section,division,description,line,code,message,raw')
  const again = await ingest('nic', file('nic-fixed.csv', csv.replace(',one,', ',01,')), { mode: 'delta' })
  expect(again).toMatchObject({ rows_read: 1, inserted: 1, rejected: 0 })
})

test.each([
  { order: 'day', proof: '25/03/2019', day: '2020-03-05' },
  { order: 'month', proof: '03/25/2019', day: '2020-05-03' },
])(
  'a date that its file reads with the $order first is that day when its row is fixed and ingested alone',
  async ({ order, proof, day }) => {
    await database.db.execute('TRUNCATE registry.director, ingest.scope')
    const text = `DIN,FullName,DINStatus,DINApprovalDate,DateOfBirth\n1,WHOLE,Approved,${proof},\nX2,TORN,Approved,05/03/2020,07.08.1980\n`
    const run = await ingest('mca-directors', file(`${order}.csv`, text), { mode: 'delta' })
    expect(run).toMatchObject({ inserted: 1, rejected: 1 })
    const csv = await csvOf(run.run_id)
    const again = await ingest('mca-directors', file(`${order}-fixed.csv`, csv.replace('X2,', '2,')), { mode: 'delta' })
    expect(again).toMatchObject({ rows_read: 1, inserted: 1, rejected: 0 })
    const [born, cells] = [order === 'day' ? '1980-08-07' : '1980-07-08', ['X2', 'TORN', 'Approved', day]]
    expect(
      await database.db.query(`SELECT approved_on, born_on FROM registry.director WHERE din = '00000002'`),
    ).toEqual([{ approved_on: day, born_on: born }])
    // The page begins with what the file was read as, too.
    const page = await readRejectPage(database.as('panji_api'), { runId: run.run_id, page: 1, limit: 10 })
    expect(page.rejects.map((each) => each.cells)).toEqual([[...cells, born]])
  },
)
