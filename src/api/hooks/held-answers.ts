/**
 * An answer to whoever takes more than their share is held back for a moment, with its connection: so a refusal costs
 * who forces it their time, and the server next to nothing, and a crowd that asks again as soon as it is answered is as
 * slow as its number of connections allows.
 *
 * Held are answers to callers whom nobody knows, beyond an allowance of their address and one of all of them; an account's
 * own 429, beyond an allowance of the account; and probes of a connection that sends them without end. What a known caller is
 * served is never held, whatever comes from its address. In memory and per process; a restart forgets it.
 *
 * Handing a large answer to the system takes some milliseconds of the event loop. A hundred of them that were held at one
 * moment are due at one moment: so of those to anonymous clients one leaves in each turn of the loop.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HeldAnswerBounds } from '../../../config/http-bounds.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { type Buckets, createBuckets } from '../../limits/bucket.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Milliseconds for which the answer was held back: no part of what it took. */
    heldMs: number
  }
}

export interface HeldAnswers {
  /** Answers that are held now, and that were held since the start. */
  usage(): { readonly waiting: number; readonly total: number }
}

interface HeldSocket {
  readonly releases: Set<() => void>
  readonly closed: () => void
}

const heldSockets = new WeakMap<Socket, HeldSocket>()

/** What a connection has sent behind an answer that is held is not read: nothing more of it comes in. */
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
  // A request that is read to its end sets its connection going again.
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

/** One of them runs in each turn of the event loop, in the order in which they came. */
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

/** @param nowMs a clock that only goes forward. */
export function holdAnswers(
  app: FastifyInstance,
  bounds: HeldAnswerBounds,
  nowMs: () => number = () => performance.now(),
): HeldAnswers {
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
    // A request that is injected has no connection to hold.
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

/** Whether an answer lies within the share of whoever gets it, which it uses up. */
function createShares(bounds: HeldAnswerBounds, nowMs: () => number): MayGo {
  const ofAddresses = createBuckets(bounds.address, nowMs)
  const ofAll = createBuckets({ ...bounds.inAll, keysMax: 1 }, nowMs)
  const ofAccounts = createBuckets(bounds.account, nowMs)
  const ofProbes = new WeakMap<Socket, Buckets>()
  return (request, { statusCode }, units) => {
    const { principal, raw, routeOptions } = request
    // Whoever balances load asks without a name, and must hear at once.
    if (routeOptions.config.probe === true && routeOptions.config.public === true) {
      const ofConnection = ofProbes.get(raw.socket) ?? createBuckets({ ...bounds.probe, keysMax: 1 }, nowMs)
      ofProbes.set(raw.socket, ofConnection)
      return ofConnection.take('', 1)
    }
    if (principal !== null) return statusCode !== 429 || ofAccounts.take(principal.accountId, 1)
    if (request.operatorName !== null || isEntrance(request, statusCode)) return true
    // Both are charged, so that whoever floods uses up their own before that of all.
    return ofAddresses.take(addressBucket(request.ip), units) && ofAll.take('', units)
  }
}

/** A sign-in, or a notice whose signature was right: known by what it brought. */
const isEntrance = ({ method }: FastifyRequest, statusCode: number): boolean =>
  statusCode < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(method)

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length
  return 0
}
