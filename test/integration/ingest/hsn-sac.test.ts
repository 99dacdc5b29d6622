import { beforeEach, expect, test } from 'vitest'
import { hsnSections } from '../../../config/hsn-sections.ts'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { lookUpHsn, lookUpSac } from '../../../src/registry/reference.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { sharedFile, testWithSharedData } from '../../support/shared-data.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const find = async (code: string) => (await lookUpHsn(database.db, { code, limit: 1 }))[0]

beforeEach(() => emptyRegisters(database.db))

test('goods and services of one file go to their own lists, repaired where the grammar proves what was lost', async () => {
  const run = await ingest('hsn-sac', registryFixture('hsn-sac.csv'))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 12, inserted: 8, rejected: 4, scopes: ['hsn', 'sac'] })
  expect((await listRejects(database.db, run.run_id)).map(({ line, code }) => [line, code])).toEqual([
    [5, 'duplicate_in_file'],
    [8, 'tariff_code_malformed'],
    [9, 'tariff_code_malformed'],
    [12, 'tariff_code_malformed'],
  ])
  expect(run.report).toMatchObject({ repaired: { lost_leading_zero: 1, hierarchy_mark: 1, description_absent: 1 } })
  expect(await find('090121')).toEqual({
    code: '090121',
    description: 'COFFEE, TEA, MATE AND SPICES - Coffee - Not decaffeinated :',
    chapter: 9,
    section: 'II',
  })
  expect(await find('98049000')).toMatchObject({ chapter: 98, section: 'XXI' })
  expect(await lookUpSac(database.db, { limit: 10 })).toEqual([
    { code: '99', description: 'All Services' },
    { code: '9983', description: 'Professional services' },
  ])
})

test('a later list of goods alone closes what left it and no service', async () => {
  await ingest('hsn-sac', registryFixture('hsn-sac.csv'))
  const text = 'HSN_CD,HSN_Description\n01,LIVE ANIMALS\n0902,TEA\n090121,COFFEE\n230700,LEES\n8471,COMPUTERS\n'
  const run = await ingest('hsn-sac', file('goods.csv', text))
  expect(run).toMatchObject({ status: 'succeeded', updated: 4, unchanged: 1, closed: 1, scopes: ['hsn'] })
  expect(await find('98049000')).toBeUndefined()
  expect(await lookUpSac(database.db, { limit: 10 })).toHaveLength(2)
})

test('every chapter from 1 to 98 lies in exactly one section', () => {
  const chapters = hsnSections.flatMap(([, from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
  expect(chapters).toEqual(Array.from({ length: 98 }, (_, index) => index + 1))
})

const workbook = 'reference/HSN_SAC.xlsx'
testWithSharedData(workbook)(
  'the workbook of the GST portal is read whole, its seven odd codes are repaired and explained',
  async () => {
    const run = await ingest('hsn-sac', sharedFile(workbook))
    const { rows_read, inserted, updated, unchanged, rejected } = run
    console.log(
      `HSN and SAC: ${rows_read} read = ${inserted} inserted + ${updated} updated + ${unchanged} unchanged + ${rejected} rejected`,
      run.report,
    )
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 21_568 + 680 })
    expect(run.inserted + run.updated + run.unchanged + run.rejected).toBe(run.rows_read)
    const rejects = await listRejects(database.db, run.run_id)
    // Each of the seven odd codes stands in the list a second time, written well; the later row wins.
    expect(rejects.map(({ line, code, message }) => [line, code, message.slice(0, 8).trim()])).toEqual([
      [678, 'duplicate_in_file', '030559 o'],
      [794, 'duplicate_in_file', '03074330'],
      [896, 'duplicate_in_file', '040210 o'],
      [1076, 'duplicate_in_file', '05119110'],
      [1574, 'duplicate_in_file', '090121 o'],
      [3179, 'duplicate_in_file', '230700 o'],
      [3380, 'duplicate_in_file', '251400 o'],
    ])
    expect(run.report).toMatchObject({
      repaired: {
        lost_leading_zero: 5,
        hierarchy_mark: 25,
        cell_line_break: 11,
        description_absent: 21,
      },
    })
    expect(await find('0305')).toMatchObject({ chapter: 3, section: 'I' })
    expect((await find('3914'))?.description).toBe(
      'ION–EXCHANGERS BASED ON POLYMERS OF HEADINGS 3901 TO 3913, IN PRIMARY FORMS',
    )
    const [counted] = await database.db.query(
      `SELECT (SELECT count(*) FROM reference.hsn WHERE closed_on IS NULL) AS goods,
            (SELECT count(DISTINCT chapter) FROM reference.hsn WHERE closed_on IS NULL) AS chapters,
            (SELECT count(*) FROM reference.sac WHERE closed_on IS NULL) AS services`,
    )
    expect(counted).toEqual({ goods: 21_561, chapters: 98, services: 680 })
  },
)
