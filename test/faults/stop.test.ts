/** SIGTERM in the midst of work: accepted requests are answered, jobs go back to the queue, and the process ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { startSandboxes } from '../../sandboxes/server.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { Secret } from '../../src/domain/secret.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { companyLead, directorLead, gstLead } from '../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from '../integration/deliver/paid-order.ts'
import { createCustomer } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'

/** What an orchestrator gives a process before it kills it. */
const graceMs = 25_000
const secretKey = 'secret-key-of-the-stop-tests'
const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-stop-'))
let queue: QueueHandle
let home: PanjiHome

beforeAll(async () => {
  await fillRegisters(database.db)
  queue = await startQueue({ connectionString: database.url, supervise: false, onError: () => {} })
})
afterAll(async () => {
  await queue.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  home = panjiHome({ DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' })
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  home.remove()
})
const started: NodeProcess[] = []

async function startPanji(): Promise<{ readonly panji: NodeProcess; readonly url: string }> {
  const panji = home.run('start', '--json')
  started.push(panji)
  const line = await panji.line('"api_url"')
  return { panji, url: /http:[^"]+/.exec(line)?.[0] ?? '' }
}

/** Asks the process to stop, and it does: in time, with success. */
async function stop(panji: NodeProcess): Promise<void> {
  const asked = performance.now()
  panji.child.kill('SIGTERM')
  const { code, stderr } = await panji.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Stopped.') })
  expect(performance.now() - asked).toBeLessThan(graceMs)
}

/** A snapshot of so many companies. */
function companiesOfGoa(count: number): string {
  const header =
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
  const rows = Array.from(
    { length: count },
    (_, n) =>
      `U74999GA2019PTC${String(n).padStart(6, '0')},COMPANY ${n} PRIVATE LIMITED,ROC Goa,Company limited by shares,Private,100000,100000,2019-05-01,"X ROAD,PANAJI,North Goa,Goa,403001-India",Unlisted,Active,goa,74999`,
  )
  return [header, ...rows, ''].join('\n')
}

/** Of the jobs with this in what they were given. */
const jobStates = async (name: string, given: object = {}) =>
  (
    await database.db.query<{ state: string }>(
      'SELECT state::text AS state FROM pgboss.job WHERE name = $1 AND data @> $2::jsonb',
      [name, JSON.stringify(given)],
    )
  ).map(({ state }) => state)

test('a command that a signal ends before its work is done says so, and not that nobody foresaw it', async () => {
  const input = join(folder, 'of-a-command.csv')
  writeFileSync(input, companiesOfGoa(60_000))
  const ingest = home.run('ingest', 'mca-companies', input, '--json')
  started.push(ingest)
  const run = async () =>
    (
      await database.db.query<{ id: number; status: string; error: unknown }>(
        'SELECT run_id AS id, status, error FROM ingest.run ORDER BY run_id DESC LIMIT 1',
      )
    )[0]
  await vi.waitFor(async () => expect(await run()).toMatchObject({ status: 'staging' }), {
    timeout: 60_000,
    interval: 2,
  })
  ingest.child.kill('SIGINT')
  const { code, stdout, stderr } = await ingest.ended
  const { id, ...left } = (await run()) ?? { id: 0 }
  const message = `Stopped by SIGINT. Run ${id} continues in the running Panji, or in the next one that works; \`npx panji cancel ${id}\` cancels it.`
  expect({
    code,
    answer: JSON.parse(stdout),
    said: stderr.split('\n').filter((line) => line.startsWith('panji:') || line.startsWith('{')),
  }).toEqual({
    code: 1,
    answer: { error: { code: 'STOPPED', message } },
    said: [`panji: ${message}`],
  })
  expect(left).toEqual({
    status: 'queued',
    error: { code: 'UNAVAILABLE', message: 'Panji was stopped; the run resumes when Panji is running again' },
  })
  expect(await home.json('cancel', `${id}`, '--yes')).toMatchObject({ code: 0 })
})

test('requests that were accepted are answered after SIGTERM, and no new ones are taken', async () => {
  const { panji, url } = await startPanji()
  const { apiKey } = await createCustomer(database.db)
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
  const { token } = (await login.json()) as { token: { access_token: string } }
  // A history is read by a statement of its own, where details that come together share one.
  const history = () =>
    fetch(`${url}/api/gst/history?gstin=${known.gstin}`, { headers: { authorization: `Bearer ${token.access_token}` } })
  let answers: Promise<Response[]> | undefined
  let ended: Promise<void> | undefined
  await database.db.transaction(async (tx) => {
    // While the table is locked the requests are under way and cannot be answered.
    await tx.execute('LOCK TABLE registry.gst_taxpayer IN ACCESS EXCLUSIVE MODE')
    answers = Promise.all(Array.from({ length: 10 }, history))
    await vi.waitFor(async () => {
      const waiting = await database.db.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
      expect(waiting.length).toBeGreaterThanOrEqual(10)
    }, 60_000)
    ended = stop(panji)
    await vi.waitFor(
      async () =>
        expect(
          await fetch(`${url}/healthz`).then(
            () => 'open',
            () => 'closed',
          ),
        ).toBe('closed'),
      5_000,
    )
  })
  expect((await answers)?.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  await ended
})

test('a COPY under way is given up, its run goes back to the queue and the next process finishes it', async () => {
  const input = join(folder, 'goa.csv')
  writeFileSync(input, companiesOfGoa(60_000))
  const first = await startPanji()
  const { runId } = await database.db.transaction((tx) =>
    requestRun(tx, queue, { source: 'mca-companies', input, asOf: '2026-01-01', force: true }),
  )
  const statusOf = async () =>
    (await database.db.query<{ status: string }>('SELECT status FROM ingest.run WHERE run_id = $1', [runId]))[0]?.status
  await vi.waitFor(async () => expect(await statusOf()).toBe('staging'), { timeout: 60_000, interval: 2 })
  await stop(first.panji)
  expect(['staging', 'queued', 'fetching']).toContain(await statusOf())
  expect(await jobStates('ingest-snapshot', { runId })).toEqual(['retry'])
  const stopped = { code: 'UNAVAILABLE', message: 'Panji was stopped; the run resumes when Panji is running again' }
  const [left] = await database.db.query<{ error: unknown }>('SELECT error FROM ingest.run WHERE run_id = $1', [runId])
  expect(left?.error).toEqual(stopped)

  const second = await startPanji()
  await vi.waitFor(async () => expect(await statusOf()).toBe('succeeded'), { timeout: 60_000, interval: 200 })
  await stop(second.panji)
  const [run] = await database.db.query('SELECT rows_read, inserted FROM ingest.run WHERE run_id = $1', [runId])
  expect(run).toEqual({ rows_read: 60_000, inserted: 60_000 })
})

test('a send to the CRM under way is given up, and the next process delivers each lead once', async () => {
  const sandbox = createSalesforceSandbox()
  const server = await startSandboxes([sandbox], { port: 0 })
  const { db } = database
  const accountId = await insertAccount(db)
  const orderId = await insertOrder(db, accountId, [gstLead(1), companyLead(1), directorLead(1)])
  const destination = await addDestination(db, [salesforce], new Secret(secretKey), {
    accountId,
    connector: 'salesforce',
    name: 'Our org',
    settings: server.settings('salesforce'),
  })
  // The CRM takes the leads and never says so.
  const fault = { crm: 'salesforce', kind: 'timeout_after_commit', match: 'PATCH', times: 1 }
  await fetch(`${server.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.controlToken}` },
    body: JSON.stringify(fault),
  })
  const first = await startPanji()
  await db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId: destination.destination_id }))
  await vi.waitFor(() => expect(sandbox.records().length).toBe(3), { timeout: 60_000, interval: 20 })
  await stop(first.panji)
  expect(await jobStates('deliver-leads')).not.toContain('active')

  const second = await startPanji()
  const states = async () =>
    (await db.query<{ state: string }>('SELECT state FROM deliver.delivery WHERE order_id = $1', [orderId])).map(
      ({ state }) => state,
    )
  const delivered = ['acknowledged', 'acknowledged', 'acknowledged']
  await vi.waitFor(async () => expect(await states()).toEqual(delivered), { timeout: 60_000, interval: 200 })
  expect(sandbox.records()).toHaveLength(3)
  await stop(second.panji)
  await server.close()
})
