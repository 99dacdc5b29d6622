/**
 * Limits connections per address, and decides which one is closed when nearly all are taken: the oldest anonymous
 * connection of the address (IPv6: of the /64) that holds the most of these. So a flood from a few addresses, or from
 * many, closes its own connections; a new connection gets in, and one that sent valid credentials stays.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { HttpBounds } from '../../../config/http-bounds.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { withinDescriptors } from '../../limits/descriptor-limit.ts'

interface Source {
  connections: number
  /** In order of arrival. */
  readonly anonymous: Set<Socket>
}

type Bounds = Pick<HttpBounds, 'connectionsMax' | 'shareOfAddress' | 'shareOfRoom'>

/**
 * A trusted proxy stands for many clients: its connections count towards the total, but are neither limited per address
 * nor closed.
 */
export function boundAddresses(app: FastifyInstance, bounds: Bounds, trustedProxies: readonly string[]): void {
  const server: Server = app.server
  const isProxy = compile([...trustedProxies])
  const connectionsMax = withinDescriptors(bounds.connectionsMax)
  const perAddress = Math.max(1, Math.floor(connectionsMax * bounds.shareOfAddress))
  const roomy = Math.floor(connectionsMax * bounds.shareOfRoom)
  const sources = new Map<string, Source>()
  const sourceOf = new WeakMap<Socket, Source>()
  let all = 0
  server.maxConnections = connectionsMax
  server.on('connection', (socket: Socket) => {
    all += 1
    socket.once('close', () => {
      all -= 1
    })
    const address = socket.remoteAddress ?? ''
    if (isProxy(address, 0)) return
    const key = addressBucket(address)
    const source = sources.get(key) ?? { connections: 0, anonymous: new Set() }
    if (source.connections >= perAddress) {
      socket.destroy()
      return
    }
    if (all > roomy) oldestOfMost(sources)?.destroy()
    sources.set(key, source)
    sourceOf.set(socket, source)
    source.connections += 1
    source.anonymous.add(socket)
    socket.once('close', () => {
      source.connections -= 1
      source.anonymous.delete(socket)
      if (source.connections === 0 && sources.get(key) === source) sources.delete(key)
    })
  })
  // Runs after every check of credentials, before a body.
  app.addHook('preParsing', ({ principal, operatorName, raw }, _reply, payload, done) => {
    if (principal !== null || operatorName !== null) sourceOf.get(raw.socket)?.anonymous.delete(raw.socket)
    done(null, payload)
  })
}

function oldestOfMost(sources: ReadonlyMap<string, Source>): Socket | undefined {
  let most: Source | undefined
  for (const source of sources.values()) {
    if (source.anonymous.size > (most?.anonymous.size ?? 0)) most = source
  }
  const [oldest] = most?.anonymous ?? []
  // Its close event comes later; until then it must not be chosen again.
  if (oldest) most?.anonymous.delete(oldest)
  return oldest
}
