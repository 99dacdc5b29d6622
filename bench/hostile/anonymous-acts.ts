/** Attacker: hostile connections without a key, each repeating one act until it is stopped. */
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { StartPart } from '../own-process.ts'

export interface AnonymousData {
  readonly origin: string
  readonly acts: readonly ActName[] | 'all'
  readonly connections: number
}

const addresses = 20
/** Addresses of the loopback network, all of which reach this machine on Linux. */
const addressOf = (n: number) => `127.0.0.${2 + (n % addresses)}`

const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token with the right shape and an unknown key. */
const forged = () =>
  [
    part({ alg: 'EdDSA', typ: 'at+jwt', kid: randomUUID() }),
    part({ iss: 'panji', sub: randomUUID() }),
    random(64),
  ].join('.')

const packed = 'Accept-Encoding: br, gzip\r\n'

function requestsOf(host: string, scriptPath: string) {
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`
  const post = (path: string, body: object) => {
    const text = JSON.stringify(body)
    return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  }
  return {
    script: () => get(scriptPath, packed),
    page: () => get('/console', packed),
    document: () => get('/openapi.json', packed),
    admin: () => get('/admin/users', `Authorization: Bearer ${random(32)}\r\n`),
    metrics: () => get('/metrics', `Authorization: Bearer ${random(32)}\r\n`),
    login: () => post('/api/auth/login', { api_key: `panji_${random(60).replace(/[-_]/g, 'x').slice(0, 43)}` }),
    refresh: () => post('/api/auth/refresh-token', { refresh_token: random(32) }),
    bearer: () => get('/api/company/details?cin=x', `Authorization: Bearer ${forged()}\r\n`),
    ready: () => get('/readyz'),
    /** Requests a lot and reads nothing. */
    deaf: () => get(scriptPath, packed).repeat(4),
    /** Announces a body and never sends all of it. */
    trickle: () =>
      `POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  } as const
}

const actNames = [
  'script',
  'page',
  'document',
  'admin',
  'metrics',
  'login',
  'refresh',
  'bearer',
  'ready',
  'deaf',
  'trickle',
] as const
type ActName = (typeof actNames)[number]

/** Reported at the end: the server's reactions, by act. */
export const startPart: StartPart<AnonymousData> = async ({ origin, acts, connections }) => {
  const { host, hostname, port } = new URL(origin)
  /** The script as linked in the page. */
  const page = await (await fetch(`${origin}/docs/`)).text()
  const scriptPath = new URL(/<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? 'js/scalar.js', `${origin}/docs/`).pathname
  const requests = requestsOf(host, scriptPath)
  const stopping = new AbortController()
  const counts: Record<string, number> = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  /** One connection at a time, reopened when the server closes it. */
  async function repeat(name: ActName, localAddress: string): Promise<void> {
    while (!stopping.signal.aborted) {
      await new Promise<void>((resolve) => {
        const socket = connect({ port: Number(port), host: hostname, localAddress }, () =>
          socket.write(requests[name]()),
        )
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
            // A chunked response ends its connection here: finding its end is the work of a client, not of an attacker.
            missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
            head = head.endsWith('0\r\n\r\n') ? '' : head.slice(-5)
          }
          missing -= bytes
          const chunkedEnd =
            missing === Number.POSITIVE_INFINITY && chunk.subarray(-5).toString('latin1') === '0\r\n\r\n'
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

  async function hold(name: 'deaf' | 'trickle', localAddress: string): Promise<void> {
    while (!stopping.signal.aborted) {
      await new Promise<void>((resolve) => {
        const socket = connect({ port: Number(port), host: hostname, localAddress }, () =>
          socket.write(requests[name]()),
        )
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

  const chosen: readonly ActName[] = acts === 'all' ? actNames : acts
  let running: Promise<void>[] = []
  return {
    setup: null,
    begin() {
      running = Array.from({ length: connections }, (_, n) => {
        const name = chosen[n % chosen.length] ?? 'script'
        return name === 'deaf' || name === 'trickle' ? hold(name, addressOf(n)) : repeat(name, addressOf(n))
      })
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
      return counts
    },
  }
}
