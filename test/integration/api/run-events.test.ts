/** A run as server-sent events: what is told, from where it goes on after a cut, and what streams may hold. */
import { expect, test } from 'vitest'
import { eventStreamBounds } from '../../../config/http-bounds.ts'
import { createEventStreams, type Watched } from '../../../src/api/event-streams.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database, [], { eventStreams: { longestMs: 60_000, lookMs: 50 } })

interface Told {
  readonly id: string
  readonly run: { readonly status: string; readonly rows_read: number }
}

const eventsOf = (text: string): Told[] =>
  [...text.matchAll(/^event: run\nid: (\S+)\ndata: (.*)$/gm)].map(([, id = '', data = '']) => ({
    id,
    run: JSON.parse(data) as Told['run'],
  }))
/** @param told called with all that has come, whenever more comes. */
async function watch(runId: number, headers: Record<string, string> = {}, told: (text: string) => void = () => {}) {
  const reply = await api.app.inject({
    url: `/admin/ingest/runs/${runId}/events`,
    headers: { authorization: `Bearer ${operatorToken}`, ...headers },
    payloadAsStream: true,
  })
  let text = ''
  for await (const piece of reply.stream()) {
    text += String(piece)
    told(text)
  }
  return { status: reply.statusCode, headers: reply.headers, text }
}

async function makeRun(status: string): Promise<number> {
  const [run] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, status, input, mode, as_of, requested_by)
     VALUES ('mca-companies', $1, 'x.csv', 'snapshot', '2025-01-01', 'test') RETURNING run_id AS id`,
    [status],
  )
  return run?.id ?? 0
}
const move = (runId: number, status: string, rows: number) =>
  database.db.execute(
    `UPDATE ingest.run SET status = $2, rows_read = $3, inserted = $3,
       finished_at = CASE WHEN $2 = 'succeeded' THEN now() END WHERE run_id = $1`,
    [runId, status, rows],
  )

test('a stream sends each change of a run and ends when the run rests; reopened, it repeats nothing', async () => {
  const runId = await makeRun('staging')
  let moved: Promise<unknown> | undefined
  const reply = await watch(runId, {}, (text) => {
    if (text.includes('"status":"staging"')) moved ??= move(runId, 'succeeded', 7)
  })
  await moved
  expect(reply.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': expect.stringContaining('no-store'),
  })
  const events = eventsOf(reply.text)
  expect(events.map(({ run }) => [run.status, run.rows_read])).toEqual([
    ['staging', 0],
    ['succeeded', 7],
  ])
  const again = await watch(runId, { 'last-event-id': events.at(-1)?.id ?? '' })
  expect([again.status, eventsOf(again.text)]).toEqual([200, []])
  expect((await watch(999_999)).status).toBe(404)
})

const bounds = { perCredential: 2, inAll: 3, longestMs: 60_000, lookMs: 1, quietMs: 5 }
const restless = (): Promise<Watched> => Promise.resolve({ event: 'run', data: { status: 'staging' }, rests: false })

test('one credential holds so many streams, all together so many more, and each gives its place back however it ends', async () => {
  const streams = createEventStreams(bounds)
  const open = (credential: string) => streams.open({ credential, look: restless })
  const [first] = [await open('a'), await open('a')]
  await expect(open('a')).rejects.toMatchObject({ code: 'TOO_MANY_CONCURRENT' })
  await open('b')
  await expect(open('c')).rejects.toMatchObject({ code: 'TOO_MANY_CONCURRENT' })
  // A reader that left before it read anything.
  await new Promise((resolve) => first?.once('close', resolve).destroy())
  await expect(open('c')).resolves.toBeDefined()
  streams.close()
})

test('a quiet stream says that it is there, and every stream ends with the server', async () => {
  const streams = createEventStreams(bounds)
  const stream = await streams.open({ credential: 'a', look: restless })
  let text = ''
  for await (const piece of stream) {
    text += String(piece)
    if (text.includes(': still here')) streams.close()
  }
  expect(eventsOf(text)).toHaveLength(1)
})

test('a HEAD is answered at once and holds no place, while the run goes on', async () => {
  const runId = await makeRun('staging')
  for (let n = 0; n < 2 * eventStreamBounds.perCredential; n++) {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const reply = await api.app.inject({ method: 'HEAD', url: `/admin/ingest/runs/${runId}/events`, headers })
    expect([n, reply.statusCode, reply.body]).toEqual([n, 200, ''])
  }
})
