import { expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

let sequence = 0
/** Directors with these dates of approval and birth, one line each; answers what was read and what was rejected. */
async function read(...lines: readonly (readonly [approved: string, born?: string])[]) {
  await database.db.execute('TRUNCATE registry.director, ingest.scope')
  const rows = lines.map(
    ([approved, born = ''], index) => `${index + 1},NAME ${index + 1},Approved,${approved},${born}`,
  )
  const text = `DIN,FullName,DINStatus,DINApprovalDate,DateOfBirth\n${rows.join('\n')}\n`
  const run = await ingest('mca-directors', file(`dates-${++sequence}.csv`, text), { mode: 'delta', force: true })
  const rejects = await listRejects(database.db, run.run_id)
  const found = await database.db.query<{ din: string; approved_on: string | null; born_on: string | null }>(
    'SELECT din, approved_on, born_on FROM registry.director ORDER BY din',
  )
  return {
    days: found.map(({ approved_on, born_on }) => (born_on === null ? approved_on : [approved_on, born_on])),
    rejects: rejects.map(({ line, code }) => [line, code]),
    messages: rejects.map(({ message }) => message),
    orders: run.report['date_orders'],
  }
}

test('one date that can only have its day first decides for the ambiguous dates of the column', async () => {
  expect(await read(['03/04/2020'], ['25-03-2020'], ['2020-05-06'], ['7.8.2020 00:00:00'])).toEqual({
    days: ['2020-04-03', '2020-03-25', '2020-05-06', '2020-08-07'],
    rejects: [],
    messages: [],
    orders: { approvedOn: { order: 'dmy', by: 'column', day_first: 1, month_first: 0, ambiguous: 2 } },
  })
})

test('one date that can only have its month first decides for the ambiguous dates of the column', async () => {
  expect(await read(['03/04/2020'], ['03/25/2020'], ['12/31/2019'])).toMatchObject({
    days: ['2020-03-04', '2020-03-25', '2019-12-31'],
    rejects: [],
    orders: { approvedOn: { order: 'mdy', by: 'column', day_first: 0, month_first: 2, ambiguous: 1 } },
  })
})

test('a column without a deciding date follows the other columns of the file', async () => {
  expect(await read(['03/04/2020', '12/31/1980'], ['01/02/2020', '1981-01-01'])).toMatchObject({
    days: [
      ['2020-03-04', '1980-12-31'],
      ['2020-01-02', '1981-01-01'],
    ],
    orders: { approvedOn: { order: 'mdy', by: 'file' }, bornOn: { order: 'mdy', by: 'column' } },
  })
})

test('where no date decides, ambiguous dates are rejected with what to do, and the others are read', async () => {
  expect(await read(['03/04/2020'], ['05/05/2020'], ['2020-01-02'])).toMatchObject({
    days: ['2020-05-05', '2020-01-02'],
    rejects: [[2, 'date_ambiguous']],
    messages: [
      '"03/04/2020" in approved_on can be two days: no date of this file shows whether day or month stands first; write it as YYYY-MM-DD',
    ],
    orders: { approvedOn: { order: null, by: 'nothing', ambiguous: 1 } },
  })
})

test('where both orders are proved, ambiguous dates are rejected, and dates with one reading are read', async () => {
  expect(await read(['25/03/2020'], ['03/26/2020'], ['03/04/2020'], ['31/31/2020'])).toMatchObject({
    days: ['2020-03-25', '2020-03-26'],
    rejects: [
      [4, 'date_ambiguous'],
      [5, 'date_unreadable'],
    ],
    messages: [expect.stringContaining('show both orders'), expect.stringContaining('is no day')],
    orders: { approvedOn: { order: null, by: 'both', day_first: 1, month_first: 1, ambiguous: 1 } },
  })
})

test('a day that exists in no reading proves no order', async () => {
  expect(await read(['03/04/2020'], ['31/02/2020'], ['02/30/2020'])).toMatchObject({
    days: [],
    rejects: [
      [2, 'date_ambiguous'],
      [3, 'date_unreadable'],
      [4, 'date_unreadable'],
    ],
    orders: { approvedOn: { order: null, by: 'nothing', day_first: 0, month_first: 0, ambiguous: 1 } },
  })
  expect(await read(['03/04/2020'], ['31/02/2020'], ['03/25/2020'])).toMatchObject({
    days: ['2020-03-04', '2020-03-25'],
    rejects: [[3, 'date_unreadable']],
  })
})

test('one stray date among a hundred is rejected, and blocks no other', async () => {
  const right = Array.from({ length: 99 }, (_, day) => [`${13 + (day % 15)}/04/2020`] as const)
  expect(await read(['03/04/2020'], ['03/26/2020'], ...right)).toMatchObject({
    days: expect.arrayContaining(['2020-04-03', '2020-04-13']),
    rejects: [[3, 'date_unreadable']],
    orders: { approvedOn: { order: 'dmy', by: 'column', day_first: 99, month_first: 1 } },
  })
  const { orders } = await read(['03/04/2020'], ['03/26/2020'], ...right.slice(0, 98))
  expect(orders).toMatchObject({ approvedOn: { order: null, by: 'both' } })
})

test('a declared order overrides what the dates of a file look like', async () => {
  const header = 'gstin,lgnm,dty,sts,rgdt'
  const lines = ['27AAACR5055K1Z7,A LIMITED,Regular,Active,03/04/2020', '29AAICA3918J1ZE,B,Regular,Active,03/25/2020']
  const run = await ingest('gst-taxpayers', file('declared.csv', [header, ...lines, ''].join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ inserted: 1, rejected: 1 })
  expect(run.report).toMatchObject({ date_orders: { registeredOn: { order: 'dmy', by: 'declared' } } })
  expect(await listRejects(database.db, run.run_id)).toMatchObject([
    { line: 3, code: 'date_unreadable', message: expect.stringContaining('YYYY-MM-DD or DD-MM-YYYY') },
  ])
  const days = await database.db.query('SELECT gstin, registered_on FROM registry.gst_taxpayer')
  expect(days).toEqual([{ gstin: '27AAACR5055K1Z7', registered_on: '2020-04-03' }])
})
