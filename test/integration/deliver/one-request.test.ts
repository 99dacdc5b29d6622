/** A call, the jobs that it enqueues, the jobs that these enqueue and their calls to a CRM are found in the log by one id. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../../connectors/sandbox-server.ts'
import { sandboxes } from '../../../connectors/sandboxes.ts'
import { buildJobs } from '../../../jobs/index.ts'
import { addDestination } from '../../../src/deliver/destinations.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import type { Job } from '../../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { queues } from '../../../src/queue/queues.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { logCrmCalls } from '../../../src/telemetry/crm-calls.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { buildTestServer, createCustomer, logInCustomer, secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from '../orders/world.ts'

const database = useTestDatabase()
const lines: Record<string, unknown>[] = []
const log = createLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) })
let queue: QueueHandle
let boxes: RunningSandboxes
let stop: () => Promise<unknown>

beforeAll(async () => {
  const connectionString = database.url
  queue = await startQueue({ connectionString, role: 'panji_worker', supervise: true, onError: () => {} })
  boxes = await startSandboxes(sandboxes(), { port: 0 })
  const options = {
    queue,
    dataDir: '/nowhere',
    allowPrivateSources: true,
    bounds: {},
    leadSource: 'Panji',
    connectors,
    secretKey,
  }
  // Without their looks, which wake what is due for no call at all.
  const jobs = buildJobs(options).map(({ queue: of, handle }): Job => ({ queue: of, handle }))
  const stopping = new AbortController()
  const worker = await startWorker({ db: database.as('panji_worker'), queue, jobs, log, signal: stopping.signal })
  const silence = logCrmCalls(log)
  stop = async () => {
    silence()
    stopping.abort(new Error('the test is over'))
    await worker.stop()
  }
})
afterAll(async () => {
  await stop()
  await queue.stop()
  await boxes.close()
})

test('the id of a call goes with its order into the jobs that build and deliver the leads, and into their calls to the CRM', async () => {
  const { db } = database
  const app = await buildTestServer(database, queue, [], { log })
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
  const given = { accountId, connector: 'zoho', name: 'CRM', settings: { ...boxes.settings('zoho') } }
  await addDestination(db, connectors, secretKey, given)

  const body = { orderName: 'One', paymentOption: 'credits', items: [{ type: 'gst', name: 'One', number: gstinOf(1) }] }
  const ordered = await api.post('/api/orders/normal', token, body, { 'x-request-id': 'call-of-asha-7' })
  expect([ordered.statusCode, ordered.headers['x-request-id']]).toEqual([201, 'call-of-asha-7'])

  const said = () => lines.filter(({ requestId }) => requestId === 'call-of-asha-7')
  await vi.waitFor(() => expect(said().map(({ msg }) => msg)).toContain('leads delivered'), {
    timeout: 30_000,
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
  const jobId = await queue.send(database.db, queues.refreshRefused, {})
  await vi.waitFor(() => expect(lines.slice(before).some((line) => line['jobId'] === jobId)).toBe(true), {
    timeout: 30_000,
  })
  const own = lines.slice(before).filter((line) => line['jobId'] === jobId)
  expect(own.map(({ requestId }) => requestId)).toEqual(own.map(() => jobId))
})
