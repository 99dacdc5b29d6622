/** A snapshot of a register that is known is read for its contents first; what is staged then are the records that are not known. */
import { writeFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { companyRange } from '../../faults/support/snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const first = companyRange(1, 20)
const renamed = first.replace(/(.*000007,)[^,]*/, '$1ANOTHER NAME LIMITED')

beforeEach(async () => {
  await emptyTables(database.db, ['registry.company', 'ingest.change', 'ingest.run', 'ingest.scope'])
  await ingest('mca-companies', file('first.csv', first))
})

const names = () => database.db.query('SELECT cin, name FROM registry.company ORDER BY cin')

test('of a file that changes one record one record is staged, under its number in the file', async () => {
  expect(renamed).not.toBe(first)
  let staged: unknown
  const reached = async (point: string) => {
    if (point !== 'matched') return
    const { run_id } = (
      await database.db.query<{ run_id: number }>('SELECT max(run_id) AS run_id FROM ingest.run')
    )[0] ?? { run_id: 0 }
    staged = await database.db.query(
      `SELECT (SELECT count(*) FROM ingest.contents_${run_id}) AS contents,
              (SELECT string_agg(ordinal::text, ' ') FROM ingest.stage_${run_id}) AS staged`,
    )
  }
  const run = await ingest('mca-companies', file('renamed.csv', renamed), { deps: { reached } })
  expect(staged).toEqual([{ contents: 20, staged: '7' }])
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 20, updated: 1, unchanged: 19, closed: 0 })
  expect(await stagingTables(database.db)).toEqual([])
})

test('a file that somebody writes to between its two readings is refused, and the register stays', async () => {
  const before = await names()
  const input = file('written.csv', renamed)
  const reached = async (point: string) => {
    if (point === 'staged') writeFileSync(input, renamed.replace('ANOTHER NAME', 'A THIRD NAME'))
  }
  await expect(ingest('mca-companies', input, { deps: { reached } })).rejects.toThrow(
    'the file was changed while it was read',
  )
  expect(await names()).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([])
})

test('a record that a changed and an unchanged line of the file name is settled by the later line', async () => {
  const [header = '', ...lines] = first.trimEnd().split('\n')
  const [changed = ''] = lines.slice(6, 7).map((line) => line.replace(/(.*000007,)[^,]*/, '$1ANOTHER NAME LIMITED'))
  const earlier = await ingest('mca-companies', file('earlier.csv', [header, changed, ...lines, ''].join('\n')))
  expect(earlier).toMatchObject({ rows_read: 21, updated: 0, unchanged: 20, rejected: 1 })
  const later = await ingest('mca-companies', file('later.csv', [header, ...lines, changed, ''].join('\n')))
  expect(later).toMatchObject({ rows_read: 21, updated: 1, unchanged: 19, rejected: 1 })
})

test('a line that a later, unchanged line of its record overrules is rejected without reading the file a third time', async () => {
  const [header = '', ...lines] = first.trimEnd().split('\n')
  const [seventh = ''] = lines.slice(6, 7)
  const changed = ['ANOTHER NAME', 'A THIRD NAME'].map((name) =>
    seventh.replace(/(.*000007,)[^,]*/, `$1${name} LIMITED`),
  )
  const before = await names()
  const input = file('overruled.csv', [header, ...changed, ...lines, ''].join('\n'))
  const reached = async (point: string) => {
    if (point === 'matched') writeFileSync(input, 'no longer what it was')
  }
  const run = await ingest('mca-companies', input, { deps: { reached } })
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 22, updated: 0, unchanged: 20, closed: 0, rejected: 2 })
  const rejects = await database.db.query('SELECT line, code, raw FROM ingest.reject WHERE run_id = $1 ORDER BY line', [
    run.run_id,
  ])
  expect(rejects).toEqual(changed.map((raw, index) => ({ line: index + 2, code: 'duplicate_in_file', raw })))
  expect(await names()).toEqual(before)
})

test('a file whose date column holds no days is staged whole, and its records are checked as ever', async () => {
  const [header = '', line = ''] = first.split('\n')
  const junk = Array.from({ length: 6_000 }, (_, n) =>
    line.replace(/\d{4}-\d\d-\d\d/, `no day ${'x'.repeat(190)} ${n}`),
  )
  const bytes = file('junk.csv', [header, ...first.trimEnd().split('\n').slice(1), ...junk, ''].join('\n'))
  const run = await ingest('mca-companies', bytes)
  expect(run).toMatchObject({ status: 'needs_approval', rows_read: 6_020, rejected: 6_000, report: { checked: 6_000 } })
})
