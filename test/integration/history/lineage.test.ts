/** Every value of a record leads to the run, the file, the day and the line that it came from. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { history } from '../../../src/api/operations/history/index.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, file, queue, dependencies } = setup
let api: BareApi
beforeAll(async () => {
  api = await bareApi({ db: database.as('panji_api') }, routesOf(details), routesOf(history))
})
beforeEach(() => emptyRegisters(database.db))

interface Traced {
  readonly field: string
  readonly value: unknown
  readonly origin: Readonly<Record<string, unknown>> | null
}
const trace = async (n: number): Promise<ReadonlyMap<string, Traced>> => {
  const reply = await api.app.inject(`/api/company/trace?cin=${cinOf(n)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  const { fields } = reply.json<{ data: { fields: Traced[] } }>().data
  return new Map(fields.map((each) => [each.field, each]))
}
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
/** The line of the record in the file, header = 1. */
const lineOf = (path: string, n: number) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .findIndex((line) => line.startsWith(cinOf(n))) + 1

test('a value leads to its run, file, day and line, and a later change of another field leaves it there', async () => {
  // A blank line, a record of two lines and one that is no record: numbers of records are no lines.
  const text = snapshotText(companies(1, 30))
    .replace('X,PANAJI', 'X,\nPANAJI')
    .replace(`${cinOf(9)},`, `${cinOf(9)},too,many,`)
  const first = file('goa-2025.csv', text)
  const second = file(
    'goa-2026.csv',
    snapshotText([...companies(1, 11), { n: 12, status: 'Dormant' }, ...companies(13, 30)]),
  )
  const run1 = await ingest('mca-companies', first, { asOf: '2025-01-01' })
  const run2 = await ingest('mca-companies', second, { asOf: '2025-02-01' })
  const traced = await trace(12)
  const name = { run_id: run1.run_id, source: 'mca-companies', file: 'goa-2025.csv', sha256: sha256(first) }
  expect(traced.get('companyName')).toMatchObject({
    value: 'COMPANY 12 PRIVATE LIMITED',
    origin: { ...name, as_of: '2025-01-01', line: lineOf(first, 12) },
  })
  const status = { run_id: run2.run_id, source: 'mca-companies', file: 'goa-2026.csv', sha256: sha256(second) }
  expect(traced.get('llpStatus')?.origin).toMatchObject({ ...status, as_of: '2025-02-01', line: lineOf(second, 12) })
  for (const { origin } of traced.values()) expect(origin).not.toBeNull()

  const history = await api.app.inject(`/api/company/history?cin=${cinOf(12)}`)
  expect(history.json().data).toMatchObject([
    { kind: 'update', file: 'goa-2026.csv', line: lineOf(second, 12) },
    { kind: 'insert', file: 'goa-2025.csv', line: lineOf(first, 12) },
  ])

  const { run_id: undoId } = await requestUndo(database.db, queue, {
    ...{ runId: run2.run_id, through: false, reason: 'x', requestedBy: 'operator' },
  })
  await runSnapshot(dependencies(), undoId)
  expect((await trace(12)).get('llpStatus')).toMatchObject({ value: 'Active', origin: { run_id: run1.run_id } })
})

test('the lines of a first load of an empty register are kept as those of any other', async () => {
  const many = Array.from({ length: 25_000 }, (_, n) => `${String(n + 1).padStart(8, '0')},Approved,Person ${n}`)
  const path = file('directors.csv', ['DIN,Status,Name', ...many, ''].join('\n'))
  const run = await ingest('mca-directors', path, { asOf: '2025-01-01' })
  const reply = await api.app.inject('/api/company/director-trace?din=24999')
  expect(reply.json().data.fields[0].origin).toMatchObject({ run_id: run.run_id, file: 'directors.csv', line: 25_000 })
})

test('ordinary answers keep their shape, and say day, source and file where asked', async () => {
  await ingest('mca-companies', file('older.csv', snapshotText(companies(1, 30))), { asOf: '2025-01-01' })
  const path = `/api/company/details?cin=${cinOf(3)}`
  const plain = (await api.app.inject(path)).json()
  expect(Object.keys(plain)).toEqual(['data', 'rate_limit'])
  await ingest('mca-companies', file('same.csv', `${snapshotText(companies(1, 30))}\n`), { asOf: '2025-03-01' })
  const { origin, ...rest } = (await api.app.inject(`${path}&include=origin`)).json()
  expect(Object.keys(rest)).toEqual(['data', 'rate_limit'])
  // The newer snapshot confirmed what the older one had brought.
  expect(origin).toEqual({
    data_as_of: '2025-03-01',
    source: 'mca-companies',
    run_id: expect.any(Number),
    file: 'older.csv',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await api.app.inject(`${path}&include=everything`)).statusCode).toBe(400)
})

test('the trace of what no register holds is a 404, and of what is no identifier a 422', async () => {
  expect((await api.app.inject('/api/company/trace?cin=AAC-3965')).statusCode).toBe(404)
  expect((await api.app.inject('/api/gst/trace?gstin=27AABCU9603R1ZM')).statusCode).toBe(422)
  expect((await api.app.inject('/api/company/director-trace?din=99999999')).statusCode).toBe(404)
})
