/**
 * Delayed responses. A client that takes more than its share gets its response, and its connection, delayed: so forcing
 * a refusal costs the client time and the server next to nothing, and a flood that repeats at once is as slow as its
 * number of connections allows.
 *
 * Delayed are responses to anonymous clients beyond an allowance of their address and one of all of them; an account's
 * own 429 beyond an allowance of the account; and probes on a connection that sends them without end. Successful
 * responses to known callers are never delayed, whatever comes from their address. In memory and per process; a restart
 * clears it.
 *
 * Handing a large response to the system takes some milliseconds of the event loop, and a hundred delayed ones may be
 * due at once, so of those to anonymous clients one is sent per turn of the loop.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HeldAnswerBounds } from '../../../config/http-bounds.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { type Buckets, createBuckets } from '../../limits/bucket.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Milliseconds by which the response was delayed, not counted as its duration. */
    heldMs: number
  }
}

export interface DelayedResponses {
  /** Responses that are delayed now, and that were since the start. */
  usage(): { readonly waiting: number; readonly total: number }
}

interface HeldSocket {
  readonly releases: Set<() => void>
  readonly closed: () => void
}

const heldSockets = new WeakMap<Socket, HeldSocket>()

/** While a response is delayed, nothing more is read from its connection. */
function stopReading(socket: Socket, release: () => void): void {
  const known = heldSockets.get(socket)
  if (known) {
    known.releases.add(release)
    return
  }
  const releases = new Set([release])
  const closed = () => {
    for (const each of releases) each()
  }
  heldSockets.set(socket, { releases, closed })
  socket.once('close', closed)
  // A request that is read to its end resumes its connection.
  socket.on('resume', pauseAgain)
  socket.pause()
}

function pauseAgain(this: Socket): void {
  this.pause()
}

function letGo(socket: Socket, release: () => void): void {
  const known = heldSockets.get(socket)
  if (!known?.releases.delete(release) || known.releases.size > 0) return
  heldSockets.delete(socket)
  socket.off('close', known.closed)
  socket.off('resume', pauseAgain)
  socket.resume()
}

/** Runs one of them per turn of the event loop, in order of arrival. */
export function createTurns(): (go: () => void) => void {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting[0]?.()
    waiting.shift()
    if (waiting.length > 0) setImmediate(next)
  }
  return (go) => {
    waiting.push(go)
    if (waiting.length === 1) setImmediate(next)
  }
}

/** @param nowMs a monotonic clock. */
export function delayResponses(
  app: FastifyInstance,
  bounds: HeldAnswerBounds,
  nowMs: () => number = () => performance.now(),
): DelayedResponses {
  const mayGo = createShares(bounds, nowMs)
  const held = new Set<() => void>()
  const inTurn = createTurns()
  let closing = false
  let total = 0

  app.decorateReply('heldMs', 0)
  app.addHook('preClose', async () => {
    closing = true
    for (const release of held) release()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const units = 1 + Math.floor(bytesOf(payload) / bounds.bytesPerUnit)
    const { socket } = request.raw
    // An injected request has no connection.
    if (closing || !(socket instanceof Socket)) return done(null, payload)
    const isLarge = units > 1 && request.principal === null && request.operatorName === null
    if (mayGo(request, reply, units)) {
      if (isLarge) inTurn(() => done(null, payload))
      else done(null, payload)
      return
    }
    total++
    const since = nowMs()
    const release = () => {
      if (!held.delete(release)) return
      clearTimeout(timer)
      const go = () => {
        letGo(socket, release)
        reply.heldMs = nowMs() - since
        done(null, payload)
      }
      if (isLarge && !closing) inTurn(go)
      else go()
    }
    const timer = setTimeout(release, Math.min(units * bounds.heldMs, bounds.heldMsMax))
    held.add(release)
    stopReading(socket, release)
  })
  return { usage: () => ({ waiting: held.size, total }) }
}

type MayGo = (request: FastifyRequest, reply: FastifyReply, units: number) => boolean

/** Whether a response is within its client's share, which it uses up. */
function createShares(bounds: HeldAnswerBounds, nowMs: () => number): MayGo {
  const ofAddresses = createBuckets(bounds.address, nowMs)
  const ofAll = createBuckets({ ...bounds.inAll, keysMax: 1 }, nowMs)
  const ofAccounts = createBuckets(bounds.account, nowMs)
  const ofProbes = new WeakMap<Socket, Buckets>()
  return (request, { statusCode }, units) => {
    const { principal, raw, routeOptions } = request
    // Load balancers ask anonymously, and must get an immediate response.
    if (routeOptions.config.probe === true && routeOptions.config.public === true) {
      const ofConnection = ofProbes.get(raw.socket) ?? createBuckets({ ...bounds.probe, keysMax: 1 }, nowMs)
      ofProbes.set(raw.socket, ofConnection)
      return ofConnection.take('', 1)
    }
    if (principal !== null) return statusCode !== 429 || ofAccounts.take(principal.accountId, 1)
    if (request.operatorName !== null || isEntrance(request, statusCode)) return true
    // Both are charged, so that a flood uses up its own share before that of all.
    return ofAddresses.take(addressBucket(request.ip), units) && ofAll.take('', units)
  }
}

/** A sign-in, or a notice with a valid signature: identified by its content. */
const isEntrance = ({ method }: FastifyRequest, statusCode: number): boolean =>
  statusCode < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(method)

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length
  return 0
}
