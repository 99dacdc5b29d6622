import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters, emptyTables } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

/** Published examples of every kind, with the PAN inside where the kind is issued on one. */
const special = [
  ['27AAACR5055K1Z7', 'normal', 'AAACR5055K', 'Regular'],
  ['29AABCF8078M2ZW', 'normal', 'AABCF8078M', 'Input Service Distributor (ISD)'],
  ['27AAJCS5738D1Z6', 'normal', 'AAJCS5738D', 'SEZ Developer'],
  ['36AASFP8573D2ZN', 'normal', 'AASFP8573D', 'Composition'],
  ['29AABCF8078M1C8', 'tcs', 'AABCF8078M', 'Tax Collector (Electronic Commerce Operator)'],
  ['27AAECG3736E1C2', 'tcs', 'AAECG3736E', 'Tax Collector (Electronic Commerce Operator)'],
  ['19AAACI1681G1DV', 'tds', 'AAACI1681G', 'Tax Deductor'],
  ['06DELI09652G1DA', 'tds', null, 'Tax Deductor'],
  ['09ALDN00287A1DD', 'tds', null, 'Tax Deductor'],
  ['0717UNO00157UNO', 'uin', null, 'United Nation Body'],
  ['0717UNO00211UN2', 'uin', null, 'United Nation Body'],
  ['3317USA00002UNE', 'uin', null, 'Consulate or Embassy of Foreign Country'],
  ['9917SGP29001OST', 'oidar', null, 'Non Resident Online Services Provider'],
  ['272400000123TMP', 'temporary', null, 'Regular'],
] as const
/** Common in tutorials, and wrong by their check digit or shape. */
const wrong = [
  '27AABCU9603R1ZM',
  '24AAACJ2440E2ZV',
  '29AABCT1332L000',
  '22AAAAA0000A1Z5',
  '22ABCDE1234F1Z5',
  '07AAACS8577K1ZV',
]

test('GSTINs of every kind are ingested with their kind and PAN, and those that only look right are rejected', async () => {
  const lines = [
    ...special.map(([gstin, , , type]) => `${gstin},NAME,${type},Active,01/07/2017`),
    ...wrong.map((gstin) => `${gstin},NAME,Regular,Active,01/07/2017`),
  ]
  const run = await ingest('gst-taxpayers', file('special.csv', ['gstin,lgnm,dty,sts,rgdt', ...lines, ''].join('\n')))
  expect(run).toMatchObject({ rows_read: 20, inserted: special.length, rejected: wrong.length })
  expect(run.report).toMatchObject({ repaired: {}, unknown_words: {} })
  const found = await database.db.query('SELECT gstin, kind, pan FROM registry.gst_taxpayer ORDER BY gstin')
  expect(found).toEqual(
    special.map(([gstin, kind, pan]) => ({ gstin, kind, pan })).toSorted((a, b) => (a.gstin < b.gstin ? -1 : 1)),
  )
  const rejects = await listRejects(database.db, run.run_id, 'gstin_malformed')
  expect(rejects.map(({ raw }) => raw.slice(0, 15))).toEqual(wrong)
})

test('a GSTIN of a state code that does not exist is rejected and counted, though its check digit is right', async () => {
  const unknown = ['00AAACR5055K1ZN', '45AAACR5055K1Z9', '96AAACR5055K1Z2']
  const lines = ['97AAACR5055K1Z0', ...unknown].map((gstin) => `${gstin},NAME,Regular,Active,01/07/2017`)
  const run = await ingest('gst-taxpayers', file('codes.csv', ['gstin,lgnm,dty,sts,rgdt', ...lines, ''].join('\n')))
  expect(run).toMatchObject({ rows_read: 4, inserted: 1, rejected: 3, report: { rejects: { gstin_malformed: 3 } } })
  expect((await listRejects(database.db, run.run_id)).map(({ message }) => message)).toEqual(
    unknown.map(
      (gstin) =>
        `"${gstin}" is not a well-formed GSTIN, its state code does not exist, or its check digit does not hold`,
    ),
  )
})

test('LLPs, foreign LLPs and foreign companies stand in the id column beside companies', async () => {
  const ids = [
    ['U85100GA2022PTC015001', 'Company'],
    ['AAC-3965', 'LLP'],
    ['FAAC-3965', 'Foreign LLP'],
    ['F01234', 'Foreign Company'],
    ['F012345', 'Foreign Company'],
  ] as const
  const header =
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code'
  const lines = ids.map(([id]) => `${id},NAME,ROC Delhi,,2022-11-23,NA,,Active,`)
  const run = await ingest('mca-companies', file('mixed.csv', [header, ...lines, ''].join('\n')))
  expect(run).toMatchObject({ rows_read: 5, inserted: 5, rejected: 0 })
  const found = await database.db.query('SELECT cin, company_type AS type FROM registry.company ORDER BY cin')
  expect(found).toEqual(ids.map(([cin, type]) => ({ cin, type })).toSorted((a, b) => (a.cin < b.cin ? -1 : 1)))
})

test('columns in any order, under any spelling of their names and among strangers give the same row', async () => {
  const cells = {
    CIN: 'U85100GA2022PTC015001',
    CompanyName: 'A LIMITED',
    CompanyROCcode: 'ROC Goa',
    CompanyCategory: 'Company limited by shares',
    CompanyRegistrationdate_date: '2022-11-23',
    Registered_Office_Address: '1 ROAD GOA 403001',
    Listingstatus: 'Unlisted',
    CompanyStatus: 'Active',
    'CompanyIndian/Foreign Company': 'Indian',
    nic_code: '85100',
  }
  const strangers = fc.subarray(['Remarks', 'As On', 'S. No.'])
  const spelling = fc.constantFrom<(name: string) => string>(
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => name.replace(/[/_]/g, ' '),
    (name) => ` ${name.toLowerCase()} `,
  )
  const order = strangers.chain((extra) => {
    const names = [...Object.keys(cells), ...extra]
    return fc.shuffledSubarray(names, { minLength: names.length })
  })
  await fc.assert(
    fc.asyncProperty(order, spelling, async (names, spell) => {
      await emptyTables(database.db, ['registry.company', 'ingest.scope'])
      const row = names.map((name) => (cells as Record<string, string>)[name] ?? 'x')
      const text = `${names.map(spell).join(',')}\n${row.join(',')}\n`
      const run = await ingest('mca-companies', file('shuffled.csv', text), { force: true })
      const extra = names.filter((name) => !Object.hasOwn(cells, name))
      expect(run.report['header']).toMatchObject({
        generation: '2023: data.gov.in API',
        extra: [],
        unknown: extra.length,
      })
      const found = await database.db.query(
        `SELECT cin, name, roc_code, category, incorporated_on, pincode, listed, status, origin, nic_code FROM registry.company`,
      )
      expect(found).toEqual([
        {
          cin: cells.CIN,
          name: 'A LIMITED',
          roc_code: 'ROC Goa',
          category: 'Company limited by shares',
          incorporated_on: '2022-11-23',
          pincode: '403001',
          listed: 'Unlisted',
          status: 'Active',
          origin: 'Indian',
          nic_code: 85100,
        },
      ])
    }),
    { numRuns: draws(20) },
  )
})
