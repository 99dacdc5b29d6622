/** A call, the jobs that it enqueues, the jobs that these enqueue and their calls to a CRM are found in the log by one id. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { queues } from '../../../src/queue/queues.ts'
import { logCrmCalls } from '../../../src/telemetry/crm-calls.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { buildTestServer, createCustomer, logInCustomer, secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from '../orders/world.ts'
import { type FollowedDelivery, startFollowedDelivery } from './delivery-jobs.ts'

const database = useTestDatabase()
const lines: Record<string, unknown>[] = []
const log = createLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) })
let delivery: FollowedDelivery
let stop: () => Promise<unknown>

beforeAll(async () => {
  delivery = await startFollowedDelivery(database, log)
  const silence = logCrmCalls(log)
  stop = async () => {
    silence()
    await delivery.stop()
  }
})
afterAll(() => stop())

test('the id of a call goes with its order into the jobs that build and deliver the leads, and into their calls to the CRM', async () => {
  const { db } = database
  const app = await buildTestServer(database, delivery.queue, [], { log })
  const api = {
    post: (url: string, token: string | undefined, payload?: object, headers?: object) =>
      app.inject({
        method: 'POST',
        url,
        payload: payload ?? {},
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      }),
  }
  const customer = await createCustomer(db)
  const { token } = await logInCustomer(api as never, customer)
  const { accountId } = customer
  await insertGst(db, gstinOf(1))
  await insertContact(db, 'gst', gstinOf(1), { email: 'gst1@example.in' })
  await db.transaction((tx) => grantCredits(tx, accountId, 10, 'grant:one-request'))
  const given = { accountId, connector: 'zoho', name: 'CRM', settings: { ...delivery.boxes.settings('zoho') } }
  await addDestination(db, connectors, secretKey, given)

  const body = { orderName: 'One', paymentOption: 'credits', items: [{ type: 'gst', name: 'One', number: gstinOf(1) }] }
  const ordered = await api.post('/api/orders/normal', token, body, { 'x-request-id': 'call-of-asha-7' })
  expect([ordered.statusCode, ordered.headers['x-request-id']]).toEqual([201, 'call-of-asha-7'])

  const said = () => lines.filter(({ requestId }) => requestId === 'call-of-asha-7')
  await vi.waitFor(() => expect(said().map(({ msg }) => msg)).toContain('leads delivered'), {
    timeout: 60_000,
    interval: 100,
  })
  const of = (message: string) => said().filter(({ msg }) => msg === message)
  expect(of('answered')).toHaveLength(1)
  expect(of('leads built')).toHaveLength(1)
  expect(of('CRM called').map(({ crm }) => crm)).toContain('Zoho')
  const jobs = await db.query<{ name: string }>(
    `SELECT DISTINCT name FROM pgboss.job WHERE group_id = 'call-of-asha-7' ORDER BY name`,
  )
  expect(jobs.map(({ name }) => name)).toEqual(expect.arrayContaining(['build-leads', 'deliver-leads']))
  await app.close()
})

test('a job that no call enqueued is found by its own id', async () => {
  const before = lines.length
  const jobId = await delivery.queue.send(database.db, queues.refreshRejected, {})
  await vi.waitFor(() => expect(lines.slice(before).some((line) => line['jobId'] === jobId)).toBe(true), {
    timeout: 60_000,
  })
  const own = lines.slice(before).filter((line) => line['jobId'] === jobId)
  expect(own.map(({ requestId }) => requestId)).toEqual(own.map(() => jobId))
})
