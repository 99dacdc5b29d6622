/**
 * Limits on connections before a caller is known: how many there are, in total and per address; how many requests one
 * may have in progress; and `100 Continue` only for callers who may send a body. The timeouts are in the server's
 * options, see `serverOptionsOf`.
 */
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import type { HttpBounds } from '../../../config/http-bounds.ts'
import { createGate, isRefused } from '../../limits/gate.ts'
import { refusedBy } from '../../limits/refused-by.ts'
import { boundAddresses } from './connections-of-addresses.ts'

/** Node's own timeouts and sizes, against every kind of slow client. Bodies have a tighter one, see `boundBodies`. */
export function serverOptionsOf(bounds: HttpBounds) {
  return {
    http: {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.uploadMs,
      connectionsCheckingInterval: bounds.checkMs,
      maxHeaderSize: bounds.headerBytesMax,
      // Node would answer without a body and our headers; single-headers.ts checks it.
      requireHostHeader: false,
    },
    requestTimeout: bounds.uploadMs,
    keepAliveTimeout: bounds.keepAliveMs,
    // Node counts progress of a pending write as activity, so a slow reader is served and a stalled one is not.
    connectionTimeout: bounds.silenceMs,
    maxRequestsPerSocket: bounds.requestsPerConnection,
  } satisfies FastifyHttpOptions<Server>
}

export function boundConnections(app: FastifyInstance, bounds: HttpBounds, trustedProxies: readonly string[]): void {
  const server: Server = app.server
  boundAddresses(app, bounds, trustedProxies)
  boundPipelines(app, bounds.pipelinedMax)
  boundBodies(app, bounds)
  inviteBodiesLate(app, server)
  closeOnLongBodies(app)
}

/** Pipelined requests run concurrently, so one connection could act as many. */
function boundPipelines(app: FastifyInstance, pipelinedMax: number): void {
  const gate = createGate<Socket>({ places: Number.POSITIVE_INFINITY })
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const entered = gate.tryEnter(raw.socket, { atOnce: pipelinedMax })
    if (!isRefused(entered)) {
      reply.raw.once('close', entered)
      return done()
    }
    reply.header('Connection', 'close')
    const message = `More than ${pipelinedMax} requests of this connection wait for their answers. Read them first.`
    done(refusedBy('pipelined', message, { retryAfterSeconds: 1 }))
  })
}

/** Node has one timeout for the bodies of all requests; that of a snapshot may take hours, any other may not. */
function boundBodies(app: FastifyInstance, { requestMs }: HttpBounds): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    // An injected request has no connection.
    if (!hasBody || raw.complete || !(raw.socket instanceof Socket)) return done()
    const timer = setTimeout(() => {
      if (raw.complete || raw.socket.destroyed) return
      const late = Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      app.server.emit('clientError', late, raw.socket)
    }, request.routeOptions.config.bodyMs ?? requestMs)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
    done()
  })
}

/** `Expect: 100-continue` is answered once the caller is known and the content type is accepted. */
function inviteBodiesLate(app: FastifyInstance, server: Server): void {
  const expecting = new WeakSet<IncomingMessage>()
  server.on('checkContinue', (request, response) => {
    expecting.add(request)
    server.emit('request', request, response)
  })
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (expecting.delete(raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}

/** The rest of a body is drained after a refusal, so that the connection can be kept, but only up to a limit. */
const readOnBytesMax = 1_048_576

function closeOnLongBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.complete || reply.statusCode < 400) return done(null, payload)
    const length = Number(
      raw.headers['content-length'] ?? (raw.headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0),
    )
    if (length > readOnBytesMax) reply.header('Connection', 'close')
    done(null, payload)
  })
}
