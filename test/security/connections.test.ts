/** What one connection may hold: every way to be slow, to be many or to be endless ends within its bound. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type HttpBounds, httpBounds } from '../../config/http-bounds.ts'
import { operations } from '../../src/api/operations/index.ts'
import type { Routes } from '../../src/api/route-context.ts'
import { buildServer } from '../../src/api/server.ts'
import { Secret } from '../../src/domain/secret.ts'
import { operatorToken, recordJobs, secretKey } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const large = 24_000_000
const bodies: string[] = []
const routes: Routes = async (app) => {
  const config = { public: true }
  app.get('/api/test/large', { config }, async (_request, reply) => reply.type('text/plain').send('x'.repeat(large)))
  app.get('/api/test/never', { config }, () => new Promise(() => {}))
  app.post('/api/test/file', { config: { ...config, bodyMs: 60_000 } }, async ({ body }) => ({ body }))
  app.post('/api/test/body', { config }, async ({ body }) => {
    bodies.push(JSON.stringify(body))
    return {}
  })
}

/** As it is served, but that a machine which stands still sheds no load. */
const ordinary: HttpBounds = { ...httpBounds, loopDelayMsMax: Number.POSITIVE_INFINITY }
/** Times short enough for a test that is about them: a machine that stands still for a moment looks like a slow client. */
const short: HttpBounds = { ...ordinary, headersMs: 300, requestMs: 500, checkMs: 50, silenceMs: 1_000 }

async function serve(http: Partial<HttpBounds> = ordinary, trustedProxies: readonly string[] = []) {
  const app = await buildServer({
    db: database.db,
    queue: recordJobs(),
    log: pino({ level: 'silent' }),
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    secretKey,
    operatorToken: new Secret(operatorToken),
    trustedProxies,
    http,
    extraRoutes: [routes],
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const sockets: Socket[] = []
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })
  const open = async (text = '', allowHalfOpen = false, localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen, localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return socket
  }
  return { app, open }
}

/** However it ends: a reset is an end too. What came unread would keep it open. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.resume()
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
/** Everything that comes until the server ends the connection. */
async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  await closed(socket)
  return text
}
const head = (line: string, ...headers: string[]) => [line, 'Host: x', ...headers, '', ''].join('\r\n')
const json = 'Content-Type: application/json'

test('headers and bodies that trickle in are ended at their time, however steadily they drip', async () => {
  const { open } = await serve(short)
  const slowHeaders = await open('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  const slowBody = await open(`${head('POST /api/test/body HTTP/1.1', json, 'Content-Length: 900')}{`)
  const slowChunks = await open(`${head('POST /api/test/body HTTP/1.1', json, 'Transfer-Encoding: chunked')}1\r\n{\r\n`)
  const drip = setInterval(() => {
    slowHeaders.write('X-A: b\r\n')
    slowBody.write(' ')
    slowChunks.write('1\r\n \r\n')
  }, 20)
  const answers = await Promise.all([slowHeaders, slowBody, slowChunks].map(answerOf))
  clearInterval(drip)
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('who is refused and neither closes nor stops sending is cut off: a connection is held for no longer than its bounds', async () => {
  const { app, open } = await serve(short)
  const ends: Promise<unknown>[] = []
  app.server.on('connection', (socket: Socket) => ends.push(once(socket, 'close')))
  const body = await open(`${head('POST /api/test/body HTTP/1.1', json, 'Content-Length: 900000')}{`, true)
  const headers = await open('GET /healthz HTTP/1.1\r\nHost: x\r\n', true)
  const nonsense = await open('no such thing\r\n\r\n', true)
  const deaf = await open(`${head('POST /api/test/body HTTP/1.1', json, 'Content-Length: 900000')}{`, true)
  for (const socket of [body, headers, nonsense]) socket.resume()
  deaf.pause()
  const drip = setInterval(() => {
    for (const socket of [body, headers, nonsense, deaf]) socket.write(' ')
  }, 20)
  await Promise.all(ends)
  clearInterval(drip)
  expect(ends).toHaveLength(4)
})

test('a request that says one thing twice is refused, whatever it says, and nothing of it is in the answer', async () => {
  const { open } = await serve()
  for (const [first, second] of [
    ['Host: a', 'Host: a'],
    ['Host: a', 'hOST: evil.example'],
    ['Host: a', 'Authorization: Bearer one', 'Authorization: Bearer two'],
    ['Host: a', 'Content-Type: text/plain', json],
    ['Host: a', 'Origin: http://a', 'Origin: http://evil.example'],
    ['Host: a', 'Idempotency-Key: a', 'Idempotency-Key: b'],
  ].map(([host, ...others]) => [host, others.join('\r\n')])) {
    const socket = await open(`GET /openapi.json HTTP/1.1\r\n${first}\r\n${second}\r\nConnection: close\r\n\r\n`)
    const answer = await answerOf(socket)
    expect([second, answer.slice(0, 12)]).toEqual([second, 'HTTP/1.1 400'])
    expect(answer).not.toMatch(/evil|two/)
  }
})

test('a route that takes whole files may be sent one for longer', async () => {
  const { open } = await serve({ ...ordinary, requestMs: short.requestMs, checkMs: short.checkMs })
  const text = `"${'x'.repeat(60)}"`
  const begun = performance.now()
  const file = await open(
    `${head('POST /api/test/file HTTP/1.1', json, `Content-Length: ${text.length}`, 'Connection: close')}`,
  )
  let sent = 0
  const drip = setInterval(() => {
    file.write(text.slice(sent, ++sent))
    if (sent === text.length) clearInterval(drip)
  }, 20)
  expect(await answerOf(file)).toMatch(/^HTTP\/1\.1 200 /)
  expect(performance.now() - begun).toBeGreaterThan(short.requestMs)
})

test('a connection that reads nothing of its answer is ended, one that says nothing too, and none of it holds the server', async () => {
  const { app, open } = await serve(short)
  const ended: Promise<unknown>[] = []
  app.server.on('connection', (socket: Socket) => ended.push(new Promise((resolve) => socket.once('close', resolve))))
  const deaf = await Promise.all(Array.from({ length: 20 }, () => open(head('GET /api/test/large HTTP/1.1'))))
  for (const socket of deaf) socket.pause()
  const silent = await open()
  const waiting = await open(head('GET /api/test/never HTTP/1.1'))
  await Promise.all([closed(silent), closed(waiting)])
  await Promise.all(ended)
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})

test('a reader that reads slowly gets all of it, long after the time that ends a deaf one', async () => {
  const bounds = { ...ordinary, silenceMs: 4_000 }
  const { open } = await serve(bounds)
  const socket = await open(head('GET /api/test/large HTTP/1.1', 'Connection: close'))
  let bytes = 0
  let status = ''
  const begun = performance.now()
  socket.on('data', (chunk: Buffer) => {
    if (bytes === 0) status = chunk.toString('latin1', 0, 12)
    bytes += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 15)
  })
  await closed(socket)
  expect(status).toBe('HTTP/1.1 200')
  expect(bytes).toBeGreaterThan(large)
  expect(performance.now() - begun).toBeGreaterThan(bounds.silenceMs)
})

test('one address may hold half of all connections, a trusted proxy all of them, and nobody more', async () => {
  const bounds = { ...httpBounds, connectionsMax: 6 }
  const direct = await serve(bounds)
  const held = await Promise.all(Array.from({ length: 3 }, () => direct.open()))
  await closed(await direct.open())
  held[0]?.destroy()
  const proxied = await serve(bounds, ['127.0.0.1'])
  const through = await Promise.all(Array.from({ length: 6 }, () => proxied.open()))
  await closed(await proxied.open())
  through[0]?.end(head('GET /healthz HTTP/1.1', 'Connection: close'))
  expect(await answerOf(through[0] as Socket)).toMatch(/^HTTP\/1\.1 200 /)
})

test('who fills the house from a few addresses ends their own connections: newcomers get in, and who is known stays', async () => {
  const { open } = await serve({ ...httpBounds, connectionsMax: 10 })
  const asOperator = `Authorization: Bearer ${operatorToken}`
  const known = await open(head('GET /admin/storage HTTP/1.1', asOperator), false, '127.0.0.2')
  expect(String((await once(known, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  const crowd: Socket[] = []
  for (let n = 0; n < 4; n++) {
    for (const address of ['127.0.0.2', '127.0.0.3']) crowd.push(await open('', false, address))
  }
  const ended: Socket[] = []
  for (const socket of crowd) socket.once('close', () => ended.push(socket)).resume()
  const customers: Socket[] = []
  for (let n = 0; n < 3; n++) {
    const customer = await open(head('GET /healthz HTTP/1.1'))
    expect(String((await once(customer, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    customers.push(customer)
  }
  await Promise.all([crowd[0], crowd[1], crowd[2]].map((socket) => closed(socket as Socket)))
  expect(ended).toHaveLength(3)
  known.write(head('GET /admin/storage HTTP/1.1', asOperator))
  expect(String((await once(known, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})

test('requests that pile up on one connection without waiting for answers are refused beyond a few', async () => {
  const { open } = await serve({ ...httpBounds, pipelinedMax: 4, silenceMs: 400 })
  const socket = await open(head('GET /healthz HTTP/1.1'))
  await once(socket, 'data')
  const crowd = await open(
    head('GET /healthz HTTP/1.1') +
      head('GET /api/test/never HTTP/1.1').repeat(3) +
      head('GET /healthz HTTP/1.1').repeat(40),
  )
  // Answers keep their order, so that nothing comes behind the one that never does; the connection ends.
  expect((await answerOf(crowd)).match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(1)
  const burst = await open(head('GET /readyz HTTP/1.1').repeat(20))
  const answer = await answerOf(burst)
  expect(answer.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(4)
  expect(answer).toContain('HTTP/1.1 429')
})

test('a body is invited only once its sender is known', async () => {
  const { open } = await serve()
  const expecting = [json, 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close']
  const anonymous = await answerOf(await open(head('POST /api/orders/normal HTTP/1.1', ...expecting)))
  expect(anonymous).toMatch(/^HTTP\/1\.1 401 /)
  expect(anonymous).not.toContain('100 Continue')
  const socket = await open(head('POST /api/test/body HTTP/1.1', ...expecting))
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue/)
  socket.write('{}')
  expect(await answerOf(socket)).toContain('HTTP/1.1 200')
  expect(bodies.at(-1)).toBe('{}')
})

test.each([
  ['a header of 64 KB', head('GET /healthz HTTP/1.1', `X-A: ${'a'.repeat(65_536)}`), '431'],
  ['a path of 64 KB', head(`GET /${'a'.repeat(65_536)} HTTP/1.1`), '431'],
  ['an expectation that nobody fulfils', head('GET /healthz HTTP/1.1', 'Expect: miracles', 'Connection: close'), '417'],
  [
    'chunk extensions without end',
    `${head('POST /api/test/body HTTP/1.1', json, 'Transfer-Encoding: chunked')}1;${'a=b;'.repeat(20_000)}\r\n{\r\n`,
    '413',
  ],
  [
    'trailers without end',
    `${head('POST /api/test/body HTTP/1.1', json, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`,
    // The reset of what was not read may overtake the answer.
    '(431|$)',
  ],
  [
    'two lengths',
    `${head('POST /api/test/body HTTP/1.1', json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    '400',
  ],
])('%s: refused, and the connection ends', async (_what, text, status) => {
  const { open } = await serve()
  expect(await answerOf(await open(text))).toMatch(new RegExp(`^(HTTP/1\\.1 )?${status}`))
})

test('an expectation that nobody fulfils is refused in the shape of every error', async () => {
  const { open } = await serve()
  const answer = await answerOf(await open(head('GET /healthz HTTP/1.1', 'Expect: miracles', 'X-Request-Id: mine')))
  expect(answer).toMatch(/^HTTP\/1\.1 417 /)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
    detail: 'Expect: only 100-continue is supported here, but miracles was sent.',
    error_code: 'BAD_REQUEST',
    request_id: 'mine',
    doc_url: '/docs/errors#BAD_REQUEST',
  })
  expect(answer).toContain('X-Request-Id: mine')
})

test('CONNECT and upgrades open nothing', async () => {
  const { open } = await serve()
  expect(await answerOf(await open(head('CONNECT 127.0.0.1:5432 HTTP/1.1')))).not.toContain('200')
  const upgrade = head('GET /healthz HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade, close')
  expect(await answerOf(await open(upgrade))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a refusal of a body beyond all bounds ends the connection, so that it is not read to its end', async () => {
  const { open } = await serve(httpBounds)
  const socket = await open(`${head('POST /api/orders/normal HTTP/1.1', json, 'Content-Length: 1073741824')}{`)
  const answer = await answerOf(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer.toLowerCase()).toContain('connection: close')
})

test('while the event loop is late, what can wait is a 503 and health, logins and details are answered', async () => {
  const { app } = await serve({ loopDelayMsMax: 100, loopSampleMs: 300 })
  const holdTheLoop = async () => {
    const until = performance.now() + 400
    while (performance.now() < until) JSON.parse('[1]')
    // Timers run between two turns, the sampler's among them.
    await turn()
    await turn()
  }
  // What the start of the server left in the running sample would thin out the first pause.
  await holdTheLoop()
  await holdTheLoop()
  // A single pause sheds nothing.
  expect((await app.inject('/favicon.ico')).statusCode).toBe(200)
  await holdTheLoop()
  const waits = await app.inject('/favicon.ico')
  expect([waits.statusCode, waits.json().error_code, waits.headers['retry-after']]).toEqual([503, 'SERVICE_BUSY', '2'])
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  expect((await app.inject('/api/company/details?cin=x')).statusCode).toBe(401)
  const exempt = operations.flatMap(({ path, exempt: isExempt }) => (isExempt ? [path] : []))
  expect(exempt).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/api/auth/login', '/api/gst/details']))
})
