/** Hostile connections in a thread of their own, each repeating one act until the thread is told to stop. */
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface StrangersData {
  readonly origin: string
  readonly acts: readonly ActName[] | 'all'
  readonly connections: number
}

const { origin, acts, connections } = workerData as StrangersData
const { host, hostname, port } = new URL(origin)
/** The script as the page names it. */
const page = await (await fetch(`${origin}/docs/`)).text()
const scriptPath = new URL(/<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? 'js/scalar.js', `${origin}/docs/`).pathname

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`
const post = (path: string, body: object, headers = '') => {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n${headers}\r\n${text}`
}
const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token whose shape is right and whose key nobody knows. */
const forged = () =>
  [
    part({ alg: 'EdDSA', typ: 'at+jwt', kid: randomUUID() }),
    part({ iss: 'panji', sub: randomUUID() }),
    random(64),
  ].join('.')

const packed = 'Accept-Encoding: br, gzip\r\n'
const requests = {
  script: () => get(scriptPath, packed),
  document: () => get('/openapi.json', packed),
  admin: () => get('/admin/users', `Authorization: Bearer ${random(32)}\r\n`),
  metrics: () => get('/metrics', `Authorization: Bearer ${random(32)}\r\n`),
  login: () => post('/api/auth/login', { api_key: `panji_${random(60).replace(/[-_]/g, 'x').slice(0, 43)}` }),
  refresh: () => post('/api/auth/refresh-token', { refresh_token: random(32) }),
  bearer: () => get('/api/company/details?cin=x', `Authorization: Bearer ${forged()}\r\n`),
  ready: () => get('/readyz'),
} as const
const held = {
  /** Asks for a lot and reads nothing. */
  deaf: () => requests.script().repeat(4),
  /** Announces a body and never sends it whole. */
  trickle: () =>
    `POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
} as const
type ActName = keyof typeof requests | keyof typeof held

const stopping = new AbortController()
const counts: Record<string, number> = {}
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** One connection at a time, opened again when the server ends it. */
async function repeat(name: keyof typeof requests): Promise<void> {
  while (!stopping.signal.aborted) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(requests[name]()))
      let missing: number | undefined
      let head = ''
      socket.on('data', (chunk) => {
        let bytes = chunk.length
        if (missing === undefined) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          count(`${name} ${head.slice(9, 12)}`)
          const length = /content-length: (\d+)/i.exec(head)?.[1]
          bytes = head.length - end - 4
          // A chunked answer ends its connection here: telling its end is the work of a client, not of an attacker.
          missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
          head = head.endsWith('0\r\n\r\n') ? '' : head.slice(-5)
        }
        missing -= bytes
        const chunkedEnd = missing === Number.POSITIVE_INFINITY && chunk.subarray(-5).toString('latin1') === '0\r\n\r\n'
        if (missing > 0 && !chunkedEnd) return
        missing = undefined
        head = ''
        if (stopping.signal.aborted) socket.destroy()
        else socket.write(requests[name]())
      })
      socket.on('error', () => count(`${name} error`))
      socket.on('close', resolve)
      stopping.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    })
    await delay(5)
  }
}

async function hold(name: keyof typeof held): Promise<void> {
  while (!stopping.signal.aborted) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(held[name]()))
      socket.pause()
      const drip = setInterval(() => name === 'trickle' && socket.write(' '), 500)
      socket.on('error', () => count(`${name} error`))
      socket.on('close', () => {
        clearInterval(drip)
        count(`${name} closed`)
        resolve()
      })
      stopping.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    })
  }
}

const chosen: readonly ActName[] =
  acts === 'all' ? [...(Object.keys(requests) as ActName[]), ...(Object.keys(held) as ActName[])] : acts
const running = Array.from({ length: connections }, (_, n) => {
  const name = chosen[n % chosen.length] ?? 'script'
  return name === 'deaf' || name === 'trickle' ? hold(name) : repeat(name)
})
await delay(1_000)
parentPort?.postMessage('running')
parentPort?.once('message', () => {
  stopping.abort()
  void Promise.all(running).then(() => parentPort?.postMessage(counts))
})
