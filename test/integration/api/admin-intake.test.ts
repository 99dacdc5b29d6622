/** Files, runs, schedules, dead letters and usage over HTTP, as the role that the API has in the database. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { lowerScopeJob } from '../../../jobs/lower-scope.ts'
import { runScheduleJob } from '../../../jobs/run-schedule.ts'
import { settleDeadLettersJob } from '../../../jobs/settle-dead-letters.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { sweepUploads } from '../../../src/ingest/input/uploads.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { deadLetterQueue, queues } from '../../../src/queue/queues.ts'
import { addSchedule, readSchedule, syncSchedules } from '../../../src/queue/schedule/schedules.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { fillRegisters, known } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { filesHaveThisClock } from '../../support/faketime-limits.ts'
import { useIngest } from '../../support/ingest.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'panji-intake-test-'))
const database = useTestDatabase()
const fileBytesMax = 200_000
const api = useApi(database, [], { intake: { dataDir, fileBytesMax } })
const { dependencies } = useIngest(database)
const log = createLogger('silent', process.stderr)
const stopping = new AbortController()
let queue: QueueHandle
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  await fillRegisters(database.db)
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: true,
    onError: () => {},
  })
})
afterAll(async () => {
  stopping.abort()
  await worker?.stop()
  await queue.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const directors = 'DIN,Status,Name\n00000001,Approved,Asha Kamat\n00000002,Approved,Ravi Naik\nx,Approved,Nobody\n'
const UploadReply = z.object({ upload_id: z.string(), filename: z.string(), bytes: z.number(), sha256: z.string() })
const upload = (body: Buffer | string, filename = 'directors.csv') =>
  api.app.inject({
    method: 'POST',
    url: `/admin/ingest/uploads?filename=${encodeURIComponent(filename)}`,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/octet-stream' },
    payload: body,
  })
const uploads = () => (existsSync(join(dataDir, 'spool/uploads')) ? readdirSync(join(dataDir, 'spool/uploads')) : [])
const actsOf = (action: string, subject: string) =>
  database.db.query<{ actor: string; detail: Record<string, unknown> }>(
    'SELECT actor, detail FROM access.audit WHERE action = $1 AND subject = $2 ORDER BY audit_id',
    [action, subject],
  )

test('a run that was asked for over HTTP reads no file of the machine but an upload', async () => {
  const place = join(dataDir, 'elsewhere/spool/uploads', randomUUID())
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'operator-token'), directors)
  const [run] = await database
    .as('panji_api')
    .query<{ runId: number }>(
      `SELECT ingest.ask_run_over_http('mca-directors', $1, 'snapshot', NULL, false, 'operator', NULL, false) AS "runId"`,
      [join(place, 'operator-token')],
    )
  await expect(runSnapshot({ ...dependencies(), dataDir }, run?.runId ?? 0)).rejects.toMatchObject({
    ...{ code: 'SOURCE_UNREADABLE', message: expect.stringContaining('this is no upload') },
  })
})

test('a file is sent whole, ingested by a run that names it, and its rejects are listed', async () => {
  const reply = await upload(directors)
  expect(reply.statusCode).toBe(201)
  const sent = UploadReply.parse(reply.json())
  const sha256 = createHash('sha256').update(directors).digest('hex')
  expect(sent).toMatchObject({ filename: 'directors.csv', bytes: directors.length, sha256 })
  expect(readFileSync(join(dataDir, 'spool/uploads', sent.upload_id, 'directors.csv'), 'utf8')).toBe(directors)

  const wish = { source: 'mca-directors', upload_id: sent.upload_id, as_of: '2025-01-01', mode: 'delta' }
  const started = await api.post('/admin/ingest/runs', operatorToken, wish)
  expect(started.statusCode).toBe(202)
  const { run_id: runId } = started.json<{ run_id: number }>()
  expect(started.json()).toMatchObject({ status: 'queued', source: 'mca-directors', requested_by: 'operator:default' })
  expect(api.queue.sent).toContainEqual({ queue: 'ingest-snapshot', payload: { runId } })
  const done = await runSnapshot({ ...dependencies(), dataDir }, runId)
  expect(done).toMatchObject({ status: 'succeeded', rows_read: 3, rejected: 1, sha256 })

  const rejects = (await api.get(`/admin/ingest/runs/${runId}/rejects`, operatorToken)).json()
  expect(rejects).toMatchObject({ total: 1, data: [{ line: 4, raw: 'x,Approved,Nobody' }] })
  const { code } = rejects.data[0]
  expect(
    (await api.get(`/admin/ingest/runs/${runId}/rejects?code=${code}&page=2`, operatorToken)).json(),
  ).toMatchObject({
    ...{ total: 1, data: [] },
  })
  expect(await actsOf('upload snapshot', sent.upload_id)).toMatchObject([{ actor: 'operator:default' }])
  expect(await actsOf('start run', String(runId))).toMatchObject([{ detail: { source: 'mca-directors' } }])
})

test('what is wrong with an upload names it as its sender does, and not where it lies', async () => {
  const { upload_id } = (await upload('GSTIN,Legal Name\n27AAPFU0939F1ZV,ASHA TRADERS\n', 'people.csv')).json()
  const started = await api.post('/admin/ingest/runs', operatorToken, { source: 'mca-directors', upload_id })
  await expect(runSnapshot({ ...dependencies(), dataDir }, started.json().run_id)).rejects.toMatchObject({
    ...{ code: 'HEADER_MISMATCH', message: expect.stringMatching(/^people\.csv, line 1: this is no header/) },
  })
})

test('a run names an address or an upload that is there, never a path, and no day to come', async () => {
  const start = async (wish: object) =>
    (await api.post('/admin/ingest/runs', operatorToken, { source: 'mca-directors', ...wish })).statusCode
  const address = 'https://example.in/a.csv'
  expect(await start({})).toBe(400)
  expect(await start({ address: '/etc/passwd' })).toBe(400)
  expect(await start({ address: 'file:///etc/passwd' })).toBe(400)
  expect(await start({ address, upload_id: known.uuid })).toBe(400)
  expect(await start({ address, as_of: '2999-01-01' })).toBe(400)
  expect(await start({ address, as_of: '2025-02-30' })).toBe(422)
  expect(await start({ upload_id: known.uuid })).toBe(404)
  expect(await start({ address, source: 'nothing' })).toBe(400)
})

test('columns that a run names are read as their fields, and so is the next upload that has them', async () => {
  const columns = { 'Person No': 'id', Person: 'fullName' }
  const start = async (text: string, wish: object = {}) => {
    const { upload_id } = (await upload(text, 'people.csv')).json()
    return api.post('/admin/ingest/runs', operatorToken, { source: 'mca-directors', upload_id, mode: 'delta', ...wish })
  }
  const file = (din: string) => `Person No,Person\n${din},Asha Kamat\n`
  const wrong = await start(file('00000071'), { columns: { ...columns, person_no: 'firstName' } })
  expect(wrong.json()).toMatchObject({ error_code: 'BAD_REQUEST', detail: expect.stringContaining('is named twice') })
  for (const [din, wish] of [
    ['00000071', { columns }],
    ['00000072', {}],
  ] as const) {
    const { run_id: runId } = (await start(file(din), wish)).json()
    expect(await runSnapshot({ ...dependencies(), dataDir }, runId)).toMatchObject({ status: 'succeeded', inserted: 1 })
    const shown = await api.get(`/admin/ingest/runs/${runId}`, operatorToken)
    expect(shown.json()).toMatchObject({ column_map: columns })
    const held = await database.db.query('SELECT first_name, last_name FROM registry.director WHERE din = $1', [din])
    expect(held).toEqual([{ first_name: 'Asha', last_name: 'Kamat' }])
  }
})

test('an address keeps its credentials to itself', async () => {
  const wish = { source: 'mca-directors', address: 'https://asha:hunter2@example.in/a.csv?token=hunter3' }
  const reply = await api.post('/admin/ingest/runs', operatorToken, wish)
  expect(reply.statusCode).toBe(202)
  expect(reply.body).not.toMatch(/hunter/)
  const acts = await actsOf('start run', String(reply.json().run_id))
  expect(acts).toHaveLength(1)
  expect(JSON.stringify(acts)).not.toMatch(/hunter/)
  expect(reply.json()).toMatchObject({ input: 'https://example.in/a.csv?…' })
})

test('a file that is too large, empty, misnamed or broken off leaves nothing behind', async () => {
  const before = uploads()
  expect((await upload(randomBytes(fileBytesMax + 1))).json()).toMatchObject({ error_code: 'PAYLOAD_TOO_LARGE' })
  expect((await upload('')).statusCode).toBe(400)
  for (const name of ['../a.csv', 'a/b.csv', '.hidden', 'a\u0000.csv', '', `${'x'.repeat(300)}.csv`, 'a\u202e.csv'])
    expect([name, (await upload('a', name)).statusCode]).toEqual([name, 400])
  const { port } = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    'POST /admin/ingest/uploads?filename=half.csv HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${operatorToken}`,
    'Content-Type: application/octet-stream',
    'Transfer-Encoding: chunked',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n5\r\nDIN,S\r\n`)
  await expect.poll(() => uploads().length).toBe(before.length + 1)
  socket.destroy()
  await once(socket, 'close')
  await expect.poll(() => uploads()).toEqual(before)
  // One that says nothing of its length is stopped where it passes the bound, and is told so.
  const endless = connect(Number(port), '127.0.0.1')
  endless.on('error', () => {})
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  endless.write(`${head.join('\r\n')}\r\n\r\n${chunk.repeat(4)}`)
  const [answer] = (await once(endless, 'data')) as [Buffer]
  endless.destroy()
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  await expect.poll(() => uploads()).toEqual(before)
})

test.skipIf(!filesHaveThisClock)(
  'an upload is swept when its week is over, unless a run is still to read it',
  async () => {
    const idle = UploadReply.parse((await upload(directors)).json()).upload_id
    const named = UploadReply.parse((await upload(directors)).json()).upload_id
    await api.post('/admin/ingest/runs', operatorToken, { source: 'mca-directors', upload_id: named })
    const fresh = UploadReply.parse((await upload(directors)).json()).upload_id
    const longAgo = new Date(Date.now() - 8 * 86_400_000)
    for (const id of [idle, named]) utimesSync(join(dataDir, 'spool/uploads', id), longAgo, longAgo)
    expect(await sweepUploads(database.as('panji_worker'), dataDir, '7 days')).toBe(1)
    expect(uploads()).toEqual(expect.arrayContaining([named, fresh]))
    expect(uploads()).not.toContain(idle)
  },
)

test('schedules are listed, set, paused, resumed, run and removed; what ships with Panji can be paused alone', async () => {
  const shipped = { name: 'shipped', cron: '0 1 * * *', timezone: 'Asia/Kolkata', job: 'collect-words', payload: {} }
  await syncSchedules(database.db, [shipped])
  const names = async () =>
    (await api.get('/admin/schedules', operatorToken)).json().data.map(({ name }: { name: string }) => name)
  const before: string[] = await names()
  expect(before).toContain('shipped')
  const nightly = {
    name: 'goa',
    cron: '30 2 * * *',
    source: 'mca-companies',
    address: 'https://asha:hunter2@example.in/goa.csv',
  }
  const set = await api.post('/admin/schedules', operatorToken, nightly)
  expect(set.statusCode).toBe(200)
  expect(set.json()).toMatchObject({
    name: 'goa',
    source: 'mca-companies',
    input: 'https://example.in/goa.csv',
    mode: null,
    origin: 'operator',
  })
  expect(set.json().next_runs).toHaveLength(3)
  const stored = await readSchedule(database.db, 'goa')
  expect(JSON.stringify(stored.payload)).not.toMatch(/hunter/)
  expect(typeof stored.payload['sealed']).toBe('string')
  const listed = await api.get('/admin/schedules', operatorToken)
  expect(await names()).toEqual([...before, 'goa'].sort())
  expect(listed.body).not.toMatch(/sealed|hunter/)

  const act = (name: string, verb: string) => api.post(`/admin/schedules/${name}/${verb}`, operatorToken)
  expect((await act('goa', 'pause')).json()).toMatchObject({ paused: true, next_run: null })
  expect((await act('goa', 'resume')).json()).toMatchObject({ paused: false, last_run: null })
  const changed = await api.post('/admin/schedules', operatorToken, { ...nightly, cron: '0 5 * * *', mode: 'delta' })
  expect(changed.json()).toMatchObject({ cron: '0 5 * * *', mode: 'delta', last_run: null })
  expect((await readSchedule(database.db, 'goa')).payload).toMatchObject({ mode: 'delta' })
  expect((await act('goa', 'run')).statusCode).toBe(202)
  expect(api.queue.sent).toContainEqual({ queue: 'run-schedule', payload: { name: 'goa' } })
  expect((await act('nobody', 'run')).statusCode).toBe(404)
  const impossible = await api.post('/admin/schedules', operatorToken, { ...nightly, cron: '99 * * * *' })
  expect(impossible.statusCode).toBe(400)

  const remove = (name: string) =>
    api.app.inject({
      method: 'DELETE',
      url: `/admin/schedules/${name}`,
      headers: { authorization: `Bearer ${operatorToken}` },
    })
  expect((await api.post('/admin/schedules', operatorToken, { ...nightly, name: 'shipped' })).statusCode).toBe(409)
  expect((await remove('shipped')).statusCode).toBe(409)
  expect((await act('shipped', 'pause')).statusCode).toBe(200)
  expect((await remove('goa')).statusCode).toBe(200)
  expect((await remove('goa')).statusCode).toBe(404)
  expect(await actsOf('set schedule', 'goa')).toHaveLength(2)
})

test('a schedule over a folder that a terminal has named is made by the name of the schedule that looks into it, and by no path', async () => {
  const { db } = database
  const payload = { source: 'gst-taxpayers', input: '/srv/panji/gst', mode: 'delta' }
  await addSchedule(db, {
    name: 'gst-drop',
    cron: '*/5 * * * *',
    timezone: 'Asia/Kolkata',
    job: 'fetch-source',
    payload,
  })
  const asked = { name: 'gst-night', cron: '0 3 * * *', source: 'gst-taxpayers' }
  const set = (body: object) => api.post('/admin/schedules', operatorToken, body)
  const made = await set({ ...asked, folder_of: 'gst-drop' })
  expect([made.statusCode, made.json()]).toMatchObject([200, { input: '/srv/panji/gst', origin: 'operator' }])
  expect((await readSchedule(db, 'gst-night')).payload).toEqual(payload)
  // It keeps its folder and mode under another time table, and when the other one is gone.
  expect((await set({ ...asked, cron: '0 4 * * *', folder_of: 'gst-night' })).json()).toMatchObject({
    cron: '0 4 * * *',
  })

  await set({ ...asked, name: 'gst-web', address: 'https://example.in/gst.csv' })
  const refused = [
    { folder_of: 'gst-web' },
    { folder_of: '/srv/panji' },
    { folder_of: 'gst-drop', address: 'https://example.in/' },
    { folder_of: 'gst-drop', mode: 'snapshot' },
    {},
  ]
  const statuses = []
  for (const said of refused) statuses.push((await set({ ...asked, name: 'other', ...said })).statusCode)
  expect(statuses).toEqual([400, 404, 400, 400, 400])
  expect((await set({ ...asked, folder_of: 'gst-drop', cron: '99 * * * *' })).statusCode).toBe(400)
  await db.execute(`DELETE FROM runtime.schedule WHERE name LIKE 'gst-%'`)
})

test('a schedule whose source a waiting run holds says so, and is not run until that is decided on', async () => {
  const { db } = database
  await db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, turn) VALUES ('nic', 'nic.csv', 'snapshot', '2025-01-01', 'needs_approval', 900)`,
  )
  const held = { cron: '0 4 * * *', source: 'nic', address: 'https://publisher.example/nic.csv', name: 'held' }
  const set = await api.post('/admin/schedules', operatorToken, held)
  const [run] = await db.query<{ run_id: number }>(`SELECT run_id FROM ingest.run WHERE input = 'nic.csv'`)
  expect(set.json()).toMatchObject({ held_by: { run_id: run?.run_id, since: expect.stringMatching(/Z$/) } })
  const sent = api.queue.sent.length
  const refused = await api.post('/admin/schedules/held/run', operatorToken)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    detail: expect.stringContaining(`held by import ${run?.run_id} since `),
    held_by: run?.run_id,
  })
  expect(api.queue.sent).toHaveLength(sent)
  await db.execute(`UPDATE ingest.run SET status = 'discarded' WHERE input = 'nic.csv'`)
  expect((await api.post('/admin/schedules/held/run', operatorToken)).json()).toMatchObject({ held_by: null })
  await api.app.inject({
    ...{ method: 'DELETE', url: '/admin/schedules/held', headers: { authorization: `Bearer ${operatorToken}` } },
  })
})

test('a worker enqueues the job of a schedule that is to run now, with its sealed address, and that is its last run', async () => {
  const payload = { source: 'mca-companies', input: 'https://example.in/goa.csv', sealed: 'c2VhbGVk' }
  await addSchedule(database.db, { name: 'now', cron: '0 1 1 1 *', timezone: 'UTC', job: 'fetch-source', payload })
  const context = { db: database.as('panji_worker'), queue: api.queue, log, signal: stopping.signal, attempt: 0 }
  const lastRun = async () =>
    (await api.get('/admin/schedules', operatorToken))
      .json<{ data: { name: string; last_run: string | null }[] }>()
      .data.find(({ name }) => name === 'now')?.last_run
  expect(await lastRun()).toBeNull()
  await runScheduleJob.handle({ name: 'now' }, context)
  expect(api.queue.sent).toContainEqual({ queue: 'fetch-source', payload })
  const byHand = Date.parse((await lastRun()) ?? '')
  expect(byHand).toBeGreaterThan(Date.parse('2020-01-01'))

  await database.db.execute(`UPDATE runtime.schedule SET last_slot = ran_at - interval '1 day' WHERE name = 'now'`)
  expect(Date.parse((await lastRun()) ?? '')).toBe(byHand)
  await database.db.execute(`UPDATE runtime.schedule SET last_slot = ran_at + interval '1 day' WHERE name = 'now'`)
  expect(Date.parse((await lastRun()) ?? '')).toBe(byHand + 86_400_000)
})

test('a day that was too late is lowered by a worker, with its reason, in the name of who asked', async () => {
  const wrong = await upload('DIN,Status,Name\n00000001,Approved,Asha Kamat\n')
  const wish = { source: 'mca-directors', upload_id: wrong.json().upload_id, as_of: '2025-06-01' }
  const { run_id: runId } = (await api.post('/admin/ingest/runs', operatorToken, wish)).json<{ run_id: number }>()
  await runSnapshot({ ...dependencies(), dataDir }, runId)
  const days = async () => (await api.get('/admin/sources/mca-directors/scope', operatorToken)).json().data
  expect(await days()).toMatchObject([{ scope: '*', as_of: '2025-06-01', run_id: runId }])

  const lower = (body: object, source = 'mca-directors') =>
    api.post(`/admin/sources/${source}/scope/lower`, operatorToken, body)
  expect((await lower({ to: '2025-01-01' })).statusCode).toBe(400)
  expect((await lower({ to: '2025-01-01', reason: ' ' })).statusCode).toBe(400)
  expect((await lower({ to: '2999-01-01', reason: 'x' })).statusCode).toBe(400)
  expect((await lower({ to: '2025-02-30', reason: 'x' })).statusCode).toBe(422)
  expect((await lower({ to: '2025-01-01', reason: 'x', scopes: ['Goa'] })).statusCode).toBe(404)
  expect((await lower({ to: '2025-01-01', reason: 'x' }, 'nothing')).statusCode).toBe(404)

  api.queue.sent.length = 0
  const reply = await lower({ to: '2025-01-01', reason: 'mistyped' })
  expect(reply.statusCode).toBe(202)
  expect(reply.json().scopes).toEqual([{ scope: '*', before: '2025-06-01', after: '2025-01-01' }])
  const payload = queues.lowerScope.payload.parse(api.queue.sent[0]?.payload)
  const context = { db: database.as('panji_worker'), queue: api.queue, log, signal: stopping.signal, attempt: 0 }
  expect(await lowerScopeJob.handle(payload, context)).toMatchObject({ records: expect.any(Number) })
  expect(await days()).toMatchObject([{ as_of: '2025-01-01' }])
  expect(await actsOf('lower scope', 'mca-directors')).toMatchObject([
    {
      actor: 'system',
      detail: { reason: 'mistyped', records: expect.any(Number), askedBy: 'operator:default' },
    },
  ])
})

test('dead letters are listed with their reason, and a worker runs them again or discards them', async () => {
  const dead = async (input: string) => {
    await database.as('panji_worker').execute(
      `INSERT INTO pgboss.job (name, data, source_name, source_id, source_output, source_retry_count, source_created_on)
       VALUES ($1, $2, 'fetch-source', gen_random_uuid(), '{"code": "SOURCE_UNREADABLE", "message": "gone"}', 5, now())`,
      [deadLetterQueue, JSON.stringify({ source: 'nic', input, sealed: 'c2VhbGVk' })],
    )
  }
  for (const name of ['a', 'b', 'c']) await dead(`https://example.in/${name}.csv`)
  const list = async () =>
    (await api.get('/admin/jobs/dead', operatorToken)).json<{
      total: number
      data: { job_id: string; payload: object }[]
    }>()
  const { data, total } = await list()
  expect(total).toBe(3)
  expect(data[0]).toMatchObject({ queue: 'fetch-source', code: 'SOURCE_UNREADABLE', message: 'gone', attempts: 6 })
  expect(JSON.stringify(data)).not.toMatch(/sealed/)
  const [first] = data.map(({ job_id }) => job_id)
  const unknown = await api.post('/admin/jobs/dead/discard', operatorToken, { job_ids: [known.uuid] })
  expect(unknown.statusCode).toBe(404)
  expect((await api.post('/admin/jobs/dead/discard', operatorToken, {})).statusCode).toBe(400)

  worker = await startWorker({
    ...{ db: database.as('panji_worker'), queue, log, signal: stopping.signal },
    jobs: [settleDeadLettersJob({ queue })],
  })
  const settle = async (act: string, selection: object, left: number) => {
    api.queue.sent.length = 0
    const reply = await api.post(`/admin/jobs/dead/${act}`, operatorToken, selection)
    expect(reply.statusCode).toBe(202)
    const [job] = api.queue.sent
    const payload = queues.settleDeadLetters.payload.parse(job?.payload)
    await database.db.transaction((tx) => queue.send(tx, queues.settleDeadLetters, payload))
    await vi.waitFor(async () => expect((await list()).total).toBe(left), { timeout: 60_000 })
  }
  await settle('redrive', { job_ids: [first] }, 2)
  const { data: jobs } = (await api.get('/admin/jobs?queue=fetch-source', operatorToken)).json()
  expect(jobs).toMatchObject([{ queue: 'fetch-source', state: 'created', attempts: 0 }])
  await settle('discard', { all: true }, 0)
  expect(await actsOf('discard dead letters', 'dead-letter')).toHaveLength(1)
})

test('the usage of an account is listed by day, with the limits of its plan', async () => {
  const customer = await newCustomer(api, database, { plan: 'free' })
  expect((await api.get(`/api/company/director-details?din=${known.din}`, customer.token)).statusCode).toBe(200)
  await database.db.execute(
    `INSERT INTO access.daily_usage (account_id, kind, day, used) VALUES ($1, 'search', (now() AT TIME ZONE 'UTC')::date - 3, 7)`,
    [customer.accountId],
  )
  const usage = async (days: number) =>
    (await api.get(`/admin/users/${customer.accountId}/usage?days=${days}`, operatorToken)).json()
  expect(await usage(30)).toMatchObject({
    user_id: customer.accountId,
    limits: { search: 100, details: 100, feed_records: 1_000, written_bytes: 25_000_000 },
    days: [{ used: { details: 1 } }, { used: { search: 7 } }],
  })
  expect((await api.get('/api/users/me/usage?days=30', customer.token)).json()).toEqual(await usage(30))
  expect((await usage(2)).days).toHaveLength(1)
  expect((await api.get(`/admin/users/${known.uuid}/usage`, operatorToken)).statusCode).toBe(404)
})
