/** What operators look through and fix over HTTP: refused rows, deliveries that a CRM refused, notices of payments. */
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { openPaymentEvent } from '../../support/api-world.ts'
import { useCrmWorld } from '../../support/crm-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const api = useApi(database)
const crm = useCrmWorld(database)
const { ingest } = useIngest(database)
const refusedRows = () =>
  ingest('mca-companies', registryFixture('mca-companies-2023.csv'), { asOf: '2025-10-01', force: true })

interface RejectPage {
  readonly data: readonly { line: number; code: string; raw: string; raw_characters: number; cells: string[] | null }[]
  readonly header: readonly string[]
  readonly rejected: number
  readonly total: number
}

const read = async <Body>(path: string): Promise<Body> => {
  const reply = await api.get(path, operatorToken)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Body>()
}
const actsOf = (action: string) =>
  database.db.query<{ subject: string; detail: object }>(
    'SELECT subject, detail FROM access.audit WHERE action = $1 ORDER BY audit_id',
    [action],
  )

test('pages of refused rows are those of the file in its order, each row once, with its cells under the header', async () => {
  const run = await refusedRows()
  const path = `/admin/ingest/runs/${run.run_id}/rejects`
  const pages = [await read<RejectPage>(`${path}?limit=4`), await read<RejectPage>(`${path}?limit=4&page=2`)]
  expect(pages.flatMap(({ data }) => data.map(({ line }) => line))).toEqual([6, 8, 9, 12, 17, 18])
  expect(pages.map(({ total, rejected }) => [total, rejected])).toEqual([
    [6, 6],
    [6, 6],
  ])
  const [first] = pages[0]?.data ?? []
  expect(first?.cells?.[pages[0]?.header.indexOf('CIN') ?? -1]).toBe('U63040GA2006PTCOO5005')
  const ofOneCode = await read<RejectPage>(`${path}?code=cin_malformed`)
  expect(ofOneCode).toMatchObject({ total: 1, data: [{ line: 6, code: 'cin_malformed' }] })
  expect((await api.get('/admin/ingest/runs/999999/rejects', operatorToken)).statusCode).toBe(404)
})

test('a long raw text is cut on a page, and whole in the export, which holds every row once', async () => {
  const run = await refusedRows()
  await database.db.execute(
    `INSERT INTO ingest.reject (run_id, line, code, message, raw)
     SELECT $1, 1000 + n, 'quotes', 'the quotes of this line do not pair up', repeat('x', 5000) FROM generate_series(1, 4100) AS n`,
    [run.run_id],
  )
  const path = `/admin/ingest/runs/${run.run_id}/rejects`
  const page = await read<RejectPage>(`${path}?code=quotes&limit=1`)
  expect(page).toMatchObject({ total: 4100, data: [{ raw: 'x'.repeat(4000), raw_characters: 5000, cells: null }] })

  const exported = await api.get(`${path}/export?code=quotes`, operatorToken)
  expect(exported.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="rejects-of-run-${run.run_id}.csv"`,
  })
  const rows = parse(exported.body, { columns: true }) as { line: string; raw: string }[]
  expect(rows.map(({ line }) => Number(line))).toEqual(Array.from({ length: 4100 }, (_, index) => 1001 + index))
  expect(new Set(rows.map(({ raw }) => raw.length))).toEqual(new Set([5000]))
})

test('an operator finds deliveries of all accounts, and has the CRM asked again for a refused one; the act is written down', async () => {
  const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  const refused = await crm.delivery(one.accountId)
  const arrived = await crm.delivery(other.accountId)
  await database.db.execute(
    `UPDATE deliver.record SET state = 'rejected', last_error = '{"code":"REQUIRED","field":"Email","message":"Email is required"}'
     FROM deliver.delivery d WHERE d.delivery_id = $1 AND record.destination_id = d.destination_id`,
    [refused],
  )
  await database.db.execute(
    `UPDATE deliver.delivery SET state = 'rejected', outcome = NULL, acknowledged_at = NULL, crm_id = NULL,
       last_error = '{"code":"REQUIRED","field":"Email","message":"Email is required"}' WHERE delivery_id = $1`,
    [refused],
  )
  interface Page {
    readonly data: readonly { delivery_id: string; message: string | null }[]
    readonly total: number
  }
  const ids = (page: Page) => page.data.map(({ delivery_id }) => delivery_id)
  expect(new Set(ids(await read<Page>('/admin/deliveries')))).toEqual(new Set([refused, arrived]))
  expect(ids(await read<Page>(`/admin/deliveries?user_id=${other.accountId}`))).toEqual([arrived])
  expect(await read<Page>('/admin/deliveries?outcome=rejected')).toMatchObject({
    total: 1,
    data: [{ delivery_id: refused, message: 'Email is required', field: 'Email' }],
  })

  const body = { delivery_id: refused }
  expect((await api.post('/admin/deliveries/retry', operatorToken, body)).json()).toEqual({ retried: 1 })
  expect(await read<Page>('/admin/deliveries?outcome=pending')).toMatchObject({ data: [{ delivery_id: refused }] })
  expect(await actsOf('retry deliveries')).toEqual([{ subject: refused, detail: { retried: 1 } }])
})

test('a notice of a payment is closed once, with what was done about it', async () => {
  const event = await openPaymentEvent(database.db)
  const close = () => api.post(`/admin/payments/${event}/close`, operatorToken, { reason: 'given back by transfer' })
  expect((await close()).json()).toEqual({ event_id: Number(event), closed: true })
  expect((await close()).json()).toMatchObject({ error_code: 'NOT_FOUND' })
  expect(await read(`/admin/payments?open=true`)).toMatchObject({ total: 0 })
  expect(await actsOf('close payment event')).toEqual([{ subject: event, detail: { note: 'given back by transfer' } }])
})

test('without a processor nobody is asked for payments, and the answer says so', async () => {
  const reply = await api.post('/admin/payments/reconcile', operatorToken, {})
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ error_code: 'BAD_REQUEST' })
})
