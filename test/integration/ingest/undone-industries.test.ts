/** A list of industries that is taken back: the descriptions that it gave to companies go with it, and no others do. */
import { beforeEach, expect, test } from 'vitest'
import { mcaCompanies } from '../../../config/sources/mca-companies.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { recordsAsOf } from '../../support/register-state.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)
beforeEach(async () => {
  await emptyRegisters(database.db)
  await database.db.execute('TRUNCATE reference.nic')
})

const csv = (...lines: string[]) => `${lines.join('\n')}\n`
const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code,CompanyIndustrialClassification'
const cin = (n: number) => `U72200GA2010PTC02600${n}`
const company = (n: number, code: string) =>
  `${cin(n)},NUMBER ${n} LIMITED,ROC Goa,Company limited by shares,2010-05-05,NA,Unlisted,Active,${code},"Own words"`
const listed = [company(1, '72200'), company(2, '01110'), company(3, '85110'), company(4, '72900')]

const nicList = (name: string, asOf: string, ...entries: string[]) =>
  ingest('nic', file(name, csv('code,level,section,division,description,vintage', ...entries)), { asOf })
const division = (code: string, text: string) => `${code},division,K,${code},${text},2004`
const subClass = (code: string, text: string) => `${code},sub-class,K,${code.slice(0, 2)},${text},2004`
const right = [division('72', 'Computers'), subClass('72200', 'Software'), division('01', 'Farming')]
const wrong = [
  division('72', 'Computers'),
  // One description is changed, and two are new.
  ...[subClass('72200', 'Hardware'), subClass('85110', 'Hospitals'), subClass('72900', 'Own words')],
  division('01', 'Farming'),
]
const companies = (asOf: string, ...more: string[]) =>
  ingest('mca-companies', file('companies.csv', csv(header, ...listed, ...more)), { asOf, mode: 'delta', force: true })

const undo = async (runId: number) => {
  const asked = { runId, through: false, reason: 'the wrong file', requestedBy: 'operator' } as const
  return runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
}
const described = () =>
  database.db.query(
    'SELECT cin, nic_description AS text, main_division_description AS division FROM registry.company ORDER BY cin',
  )
const columns = Object.keys(mcaCompanies.columns)
const past = () => recordsAsOf(database.db, mcaCompanies, columns, '2026-01-01')

test('an undone list takes the descriptions along that it gave, and companies have those from before it again', async () => {
  await nicList('right.csv', '2025-12-01', ...right)
  await companies('2026-01-01')
  const before = { now: await described(), past: await past() }
  const list = await nicList('wrong.csv', '2026-01-02', ...wrong)
  await companies('2026-01-03')
  expect(await described()).toMatchObject([{ text: 'Hardware' }, {}, { text: 'Hospitals' }, { text: 'Own words' }])
  expect(await undo(list.run_id)).toMatchObject({ status: 'succeeded', report: { elsewhere: 2 } })
  expect({ now: await described(), past: await past() }).toEqual(before)
  await companies('2026-01-04')
  expect(await described()).toEqual(before.now)
})

test('a company that came after the undone list has the description of the list that is left, or none until its next import', async () => {
  await nicList('right.csv', '2025-12-01', ...right)
  const list = await nicList('wrong.csv', '2026-01-02', ...wrong)
  const late = [company(5, '72200'), company(6, '85110')]
  await companies('2026-01-03', ...late)
  await undo(list.run_id)
  const of = async () => (await described()).slice(-2)
  expect(await of()).toEqual([
    { cin: cin(5), text: 'Software', division: 'Computers' },
    { cin: cin(6), text: null, division: 'Own words' },
  ])
  await companies('2026-01-04', ...late)
  expect(await of()).toMatchObject([{ text: 'Software' }, { text: 'Own words', division: 'Own words' }])
})

test('a company whose industry changed since then keeps no description of the industry that it had before', async () => {
  await companies('2026-01-01')
  const list = await nicList('wrong.csv', '2026-01-02', ...wrong)
  await ingest('mca-companies', file('moved.csv', csv(header, company(2, '85110'))), {
    asOf: '2026-01-03',
    mode: 'delta',
  })
  await undo(list.run_id)
  expect((await described())[1]).toMatchObject({ text: null })
})

test.each(['72', '722', '01', '011'])(
  'the description of an industry given as %s is taken back with its list',
  async (digits) => {
    // Of a CIN, its own digits would count.
    const given = [company(5, digits).replace(cin(5), 'F00005')]
    const list = await nicList('broad.csv', '2025-12-01', `${digits},any,K,${digits.slice(0, 2)},Of the list,2004`)
    await companies('2026-01-01', ...given)
    const of = async () => (await described())[0]
    expect(await of()).toMatchObject({ cin: 'F00005', text: 'Of the list' })
    await undo(list.run_id)
    expect(await of()).toMatchObject({ text: null })
    await companies('2026-01-02', ...given)
    expect(await of()).toMatchObject({ text: 'Own words', division: 'Own words' })
  },
)
