/** Files without a column that a record needs: those that the register has are refreshed, others are rejected. */
import { expect, test } from 'vitest'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)

const directors = (asOf: string) =>
  database.db.query('SELECT din, full_name, status, as_of FROM registry.director WHERE as_of = $1 ORDER BY din', [asOf])

test('a list of DINs and statuses refreshes the directors that are known, and rejects the others as value_missing', async () => {
  const named = file('named.csv', 'DIN,FullName,DINStatus\n00000011,ASHA NAIK,Approved\n00000022,BINA NAIK,Approved\n')
  await ingest('mca-directors', named, { asOf: '2025-01-01' })
  const bare = file(
    'bare.csv',
    'DIN,DINStatus\n00000011,Lapsed\n00000033,Approved\n00000033,Lapsed\n00000022,Approved\n',
  )
  const run = await ingest('mca-directors', bare, { asOf: '2025-01-02' })
  expect(run).toMatchObject({
    status: 'succeeded',
    rows_read: 4,
    inserted: 0,
    updated: 1,
    unchanged: 1,
    rejected: 2,
    closed: 0,
  })
  expect(await directors('2025-01-02')).toEqual([
    { din: '00000011', full_name: 'ASHA NAIK', status: 'Lapsed', as_of: '2025-01-02' },
  ])
  const rejects = await database.db.query(
    'SELECT line, code, message, raw FROM ingest.reject WHERE run_id = $1 ORDER BY line',
    [run.run_id],
  )
  expect(rejects).toEqual([
    expect.objectContaining({ line: 3, code: 'duplicate_in_file' }),
    {
      line: 4,
      code: 'value_missing',
      message: '00000033 is new, and the file has no column of its full name',
      raw: '00000033,Lapsed',
    },
  ])
})

test('a run that waited while the directors it names were taken back looks again which are known', async () => {
  const many = (from: number, to: number, cells: string) =>
    Array.from({ length: to - from + 1 }, (_, at) => `${String(from + at).padStart(8, '0')},${cells}\n`).join('')
  const before = file('before.csv', `DIN,FullName,DINStatus\n${many(100, 199, 'ASHA NAIK,Approved')}`)
  await ingest('mca-directors', before, { asOf: '2025-03-01', mode: 'delta' })
  const added = await ingest(
    ...([
      'mca-directors',
      file('added.csv', `DIN,FullName,DINStatus\n${many(200, 202, 'BINA NAIK,Approved')}`),
    ] as const),
    { asOf: '2025-03-02', mode: 'delta' },
  )
  const half = await ingest(
    'mca-directors',
    file('half.csv', `DIN,DINStatus\n${many(100, 110, 'Lapsed')}${many(200, 202, 'Lapsed')}`),
    {
      asOf: '2025-03-03',
    },
  )
  expect(half).toMatchObject({ status: 'needs_approval', rejected: 0 })
  const asked = { runId: added.run_id, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  await runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
  await approveRun(database.db, queue, half.run_id, { supersede: true })
  expect(await runSnapshot(dependencies(), half.run_id)).toMatchObject({
    status: 'succeeded',
    inserted: 0,
    updated: 11,
    rejected: 3,
  })
})
