import { expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { workbookOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

test('a workbook is ingested like the CSV of its first sheet, and a reject names the row of the sheet', async () => {
  const workbook = workbookOf([
    {
      name: 'Directors',
      rows: {
        1: ['Directors of the month'],
        2: ['DIN', 'FullName', 'DINStatus', 'DINApprovalDate'],
        3: [
          { attributes: 's="2"', inside: '<v>12345</v>' },
          'ASHA_x000D_\nKAMAT',
          'Approved',
          { attributes: 's="1"', inside: '<v>43835</v>' },
        ],
        5: ['no number', 'NOBODY', 'Approved', ''],
        6: [],
      },
    },
  ])
  const run = await ingest('mca-directors', file('directors.xlsx', workbook))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 1, rejected: 1 })
  expect(run.report).toMatchObject({ repaired: { cell_line_break: 1 } })
  expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 5, code: 'din_malformed' }])
  const [director] = await database.db.query('SELECT din, full_name, approved_on FROM registry.director')
  expect(director).toEqual({ din: '00012345', full_name: 'ASHA KAMAT', approved_on: '2020-01-05' })
})

test('an old or protected workbook is refused with what to do about it', async () => {
  const path = file('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  await expect(ingest('mca-directors', path)).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('save it as .xlsx'),
  })
})
