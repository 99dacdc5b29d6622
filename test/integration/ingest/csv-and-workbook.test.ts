/** The same list as CSV, as a workbook and as JSON is the same register: every column, and the same counts of what was repaired. */
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, useIngest } from '../../support/ingest.ts'
import { workbookOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

const companyHeader = [
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,CompanyRegistrationdate_date',
  'Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code,CompanyIndustrialClassification',
].flatMap((names) => names.split(','))
const company = (n: number, cells: Readonly<Record<string, string>>): string[] => {
  const usual: Readonly<Record<string, string>> = {
    CIN: `U85100GA2022PTC01500${n}`,
    CompanyName: `FIRM ${n} PRIVATE LIMITED`,
    CompanyROCcode: 'ROC Goa',
    CompanyCategory: 'Company limited by shares',
    CompanyClass: 'Private',
    AuthorizedCapital: '100000.00',
    CompanyRegistrationdate_date: '2022-11-23',
    Registered_Office_Address: '12 A ROAD,PANAJI,North Goa,Goa,403001-India',
    Listingstatus: 'Unlisted',
    CompanyStatus: 'Active',
    CompanyStateCode: 'goa',
    nic_code: '85100',
    CompanyIndustrialClassification: 'Education',
  }
  return companyHeader.map((name) => cells[name] ?? usual[name] ?? '')
}

const dirty = [
  company(1, {
    CompanyName: 'TWO\nLINES LIMITED',
    Registered_Office_Address: '12 A ROAD\r\nSECOND FLOOR  \n,PANAJI,Goa,403001-India',
  }),
  company(2, { CompanyName: 'VERTICAL\vTAB \f FEED\u2028AND\u2029PARAGRAPH\u0085NEXT' }),
  company(3, {
    CompanyName: '\u00a0NO-BREAK\u00a0SPACE LIMITED\u00a0',
    CompanyStatus: 'Strike\u00a0Off\u200b',
    CompanyStateCode: '\u200egoa\u00a0',
  }),
  company(4, { CompanyName: 'TAB\tWITHIN LIMITED\t', AuthorizedCapital: '\t1,00,000.00\u00a0' }),
  company(5, {
    CompanyName: 'TEA &amp; COFFEE &quot;A&quot; &#8377; LIMITED',
    CompanyRegistrationdate_date: '\ufeff2022-11-23\u00a0',
  }),
  company(6, {
    CompanyName: 'TWO  BLANKS   THREE LIMITED',
    Registered_Office_Address: 'A   B ROAD,PANAJI,Goa,403001-India\u200b',
  }),
  company(7, { CompanyClass: 'NA\u00a0', CompanyIndustrialClassification: '\u200b', nic_code: '०१११०' }),
  company(8, { CompanyName: 'हिन्दी क्\u200dष क्\u200d', CompanyStatus: 'Act\u200bive' }),
]

const csvOf = (rows: readonly (readonly string[])[], end = '\n'): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',') + end).join('')
/** XML cannot carry every control: a workbook escapes the others. */
const inXml = (cell: string): string =>
  cell.replace(/[\v\f\r]/g, (sign) => `_x${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
const xlsxOf = (rows: readonly (readonly string[])[]): Buffer =>
  workbookOf([{ name: 'List', rows: Object.fromEntries(rows.map((cells, index) => [index + 1, cells.map(inXml)])) }])
const jsonOf = ([header = [], ...rows]: readonly (readonly string[])[]): string =>
  rows.map((cells) => JSON.stringify(Object.fromEntries(header.map((name, index) => [name, cells[index]])))).join('\n')

const formats: Readonly<Record<string, (rows: readonly (readonly string[])[]) => string | Buffer>> = {
  'companies.csv': csvOf,
  'windows.csv': (rows) => csvOf(rows, '\r\n'),
  'companies.xlsx': xlsxOf,
  'companies.jsonl': jsonOf,
}

test('a list is the same register and the same report in every format', async () => {
  const seen: object[] = []
  for (const [name, write] of Object.entries(formats)) {
    await emptyRegisters(database.db)
    const run = await ingest('mca-companies', file(name, write([companyHeader, ...dirty])), { force: true })
    const { ['registry.version']: _, ...contents } = await registerContents(database.db)
    // A quoted cell without text has another hash than none.
    const told = JSON.stringify(contents, (key, value: unknown) => (key === 'fingerprint' ? undefined : value))
    seen.push({ rejected: run.rejected, repaired: run.report['repaired'], words: run.report['unknown_words'], told })
  }
  expect(seen).toEqual(seen.map(() => seen[0]))
  expect(seen[0]).toMatchObject({ rejected: 0, repaired: { cell_line_break: 3, html_entities: 1 } })
  const rows = await database.db.query<{ name: string }>(
    'SELECT name, status, state, class, nic_description FROM registry.company ORDER BY cin',
  )
  expect(rows.map(({ name }) => name)).toEqual([
    'TWO LINES LIMITED',
    'VERTICAL TAB FEED AND PARAGRAPH NEXT',
    'NO-BREAK SPACE LIMITED',
    'TAB\tWITHIN LIMITED',
    'TEA & COFFEE "A" ₹ LIMITED',
    'TWO  BLANKS   THREE LIMITED',
    'FIRM 7 PRIVATE LIMITED',
    'हिन्दी क्\u200dष क्\u200d',
  ])
  expect(rows[2]).toMatchObject({ status: 'Struck Off', state: 'Goa' })
  expect(rows[6]).toMatchObject({ class: null, nic_description: null })
  expect(rows[7]).toMatchObject({ status: 'Active' })
})

test.each(Object.keys(formats))('what came as CSV is unchanged when it comes as %s', async (name) => {
  await ingest('mca-companies', file('first.csv', csvOf([companyHeader, ...dirty])), { asOf: '2025-01-01' })
  const content = formats[name]?.([companyHeader, ...dirty, company(9, {})]) ?? ''
  const run = await ingest('mca-companies', file(name, content), { asOf: '2025-02-01' })
  expect(run).toMatchObject({ rows_read: 9, inserted: 1, updated: 0, unchanged: 8, rejected: 0 })
})

test('an unchanged file of cells with line breaks is known by its fingerprints', async () => {
  const text = csvOf([companyHeader, ...dirty])
  await ingest('mca-companies', file('first.csv', text), { asOf: '2025-01-01' })
  const run = await ingest('mca-companies', file('second.csv', text + csvOf([company(9, {})])), { asOf: '2025-02-01' })
  expect(run).toMatchObject({ inserted: 1, unchanged: 8 })
  expect(run.report['checked']).toBe(1)
})
