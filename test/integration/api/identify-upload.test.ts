/** What an uploaded file looks like, and a run over the input of another: a dry run applied, a failed one as the right source. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { workbookOf } from '../../support/zip.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'panji-identify-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const database = useTestDatabase()
const api = useApi(database, [], { intake: { dataDir, fileBytesMax: 200_000 } })
const { dependencies } = useIngest(database)
const headers = { authorization: `Bearer ${operatorToken}` }

async function sent(body: Buffer | string, filename: string): Promise<string> {
  const url = `/admin/ingest/uploads?filename=${encodeURIComponent(filename)}`
  const type = { 'content-type': 'application/octet-stream' }
  const reply = await api.app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload: body })
  return reply.json<{ upload_id: string }>().upload_id
}
const identified = async (body: Buffer | string, filename: string) =>
  (await api.get(`/admin/ingest/uploads/${await sent(body, filename)}`, operatorToken)).json()
const today = async () =>
  (await database.db.query<{ day: string }>('SELECT runtime.indian_day(now())::text AS day'))[0]?.day

const directors = 'DIN,Status,Name\n00000001,Approved,Asha Kamat\n'
const goa = snapshotText(companies(1, 4, { registrar: 'Goa' }))

test('a file is recognised by its header, its name and its first rows, compressed or not', async () => {
  const named = { source: 'mca-companies', as_of: '2026-04-01', as_of_from: 'name', partitions: ['ROC Goa'] }
  expect(await identified(goa, 'companies-2026-04.csv')).toMatchObject(named)
  expect(await identified(gzipSync(goa), 'companies-2026-04.csv.gz')).toMatchObject(named)
  expect(await identified(directors, 'list.csv')).toEqual({
    ...{ source: 'mca-directors', columns: 3, partitions: [], as_of: await today(), as_of_from: 'today' },
  })
  expect(await identified('a,b\n1,2\n', 'x.csv')).toMatchObject({ source: null, columns: 2, partitions: [] })
})

test('a workbook is told by its sheets: those of one source beside each other, and of several sources the first', async () => {
  const sheet = (name: string, ...rows: string[][]) => ({
    name,
    rows: Object.fromEntries(rows.map((row, index) => [index + 1, row])),
  })
  const goods = sheet('HSN_MSTR', ['HSN_CD', 'HSN_Description'], ['0101', 'Horses'])
  const services = sheet('SAC_MSTR', ['SAC_CD', 'SAC_Description'], ['9954', 'Construction'])
  const told = await identified(workbookOf([goods, services]), 'HSN_SAC.xlsx')
  expect(told).toMatchObject({ source: 'hsn-sac', columns: 4 })
  const notes = sheet('Notes', ['Taken from the portal'])
  const people = sheet('Directors', ['DIN', 'Status', 'Name'], ['00000001', 'Approved', 'Asha Kamat'])
  const pins = sheet('PIN', ['pincode', 'district', 'state'], ['403001', 'North Goa', 'Goa'])
  expect(await identified(workbookOf([notes, people, pins]), 'month.xlsx')).toMatchObject({ source: 'mca-directors' })
})

test('what is no table, and what was never sent, is refused with a sentence', async () => {
  expect(await identified('%PDF-1.7 …', 'x.pdf')).toMatchObject({
    ...{ error_code: 'SOURCE_CORRUPT', detail: expect.stringContaining('it is a PDF') },
  })
  const none = await api.get('/admin/ingest/uploads/c3f5960b-8ae0-46df-8792-898c9520ed64', operatorToken)
  expect(none.json()).toMatchObject({ error_code: 'NOT_FOUND' })
})

async function ran(body: object, of = '/admin/ingest/runs'): Promise<Record<string, unknown>> {
  const asked = await api.post(of, operatorToken, body)
  expect([asked.statusCode, asked.json().detail]).toEqual([202, undefined])
  const { run_id } = asked.json<{ run_id: number }>()
  // What fails is told by the run.
  await runSnapshot({ ...dependencies(), dataDir }, run_id).catch(() => undefined)
  return (await api.get(`/admin/ingest/runs/${run_id}`, operatorToken)).json()
}

test('a dry run is applied over its file, for its day, by whoever asks for it', async () => {
  const upload_id = await sent(goa, 'goa.csv')
  const dry = await ran({ source: 'mca-companies', upload_id, as_of: '2026-04-01', dry_run: true })
  expect(dry).toMatchObject({ status: 'previewed', inserted: 4 })
  const applied = await ran({}, `/admin/ingest/runs/${dry['run_id']}/repeat`)
  expect(applied).toMatchObject({
    ...{ status: 'succeeded', inserted: 4, as_of: '2026-04-01', dry_run: false, requested_by: 'operator:default' },
  })
  const [row] = await database.db.query('SELECT as_of FROM registry.company WHERE cin = $1', [cinOf(1)])
  expect(row).toEqual({ as_of: '2026-04-01' })
  const again = await api.post(`/admin/ingest/runs/${applied['run_id']}/repeat`, operatorToken, {})
  expect(again.json()).toMatchObject({ error_code: 'CONFLICT', detail: expect.stringContaining('is succeeded') })
})

test('a file that was brought to the wrong source is ingested as the one that its failure names', async () => {
  const upload_id = await sent(directors, 'directors.csv')
  const wrong = await ran({ source: 'mca-companies', upload_id, mode: 'snapshot' })
  expect(wrong).toMatchObject({ status: 'failed', error: { code: 'HEADER_MISMATCH', source: 'mca-directors' } })
  const right = await ran({ source: 'mca-directors' }, `/admin/ingest/runs/${wrong['run_id']}/repeat`)
  expect(right).toMatchObject({ source: 'mca-directors', status: 'succeeded', inserted: 1 })
})
