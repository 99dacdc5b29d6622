/**
 * A small proxy in front of several API processes, like nginx or Caddy: it polls /readyz of each, forwards to the ready
 * ones in turn, keeps its connections, and tries the next one only if no byte of a call was sent.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'

export interface Balancer {
  readonly url: string
  readyCount(): number
  close(): Promise<void>
}

const dropped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect'])
const passable = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))

export async function startBalancer(upstreams: readonly string[], checkMs = 100): Promise<Balancer> {
  const backends = upstreams.map((url) => ({ url, pool: new Pool(url, { pipelining: 1 }), ready: false }))
  const stopping = new AbortController()
  const checks = backends.map(async (backend) => {
    while (!stopping.signal.aborted) {
      backend.ready = await fetch(`${backend.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      await delay(checkMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })
  let turn = 0

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const { method = 'GET', url: path = '/', headers } = incoming
    const call = { method, path, headers: passable(headers), body: parts.length > 0 ? Buffer.concat(parts) : null }
    const ready = backends.filter((backend) => backend.ready)
    for (let tries = 0; tries < ready.length; tries++) {
      const backend = ready[turn++ % ready.length]
      try {
        const answer = await backend?.pool.request({ ...call, method: method as 'GET' })
        if (!answer) continue
        const body = Buffer.from(await answer.body.arrayBuffer())
        outgoing.writeHead(answer.statusCode, passable(answer.headers)).end(body)
        return
      } catch (error) {
        if (!/ECONNREFUSED|UND_ERR_CONNECT/.test(String((error as { code?: unknown }).code))) throw error
      }
    }
    throw new Error('no process is ready')
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: unknown) => outgoing.writeHead(502).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readyCount: () => backends.filter(({ ready }) => ready).length,
    async close() {
      stopping.abort()
      await Promise.all(checks)
      server.closeAllConnections()
      server.close()
      await Promise.all(backends.map(({ pool }) => pool.destroy()))
    },
  }
}
