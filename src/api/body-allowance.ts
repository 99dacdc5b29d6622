/**
 * A body is read and parsed on the event loop before anything is known about it, which costs everybody. So its bytes
 * are charged to its account, even if the call is then refused, and an account over its allowance is refused before a
 * byte of its next body is read. A body that blocks the loop for longer than its size suggests is charged by processor
 * time, which a busy machine does not inflate. In memory and per process; a restart clears it. Calls without an account
 * have tighter limits, see `boundConnections`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyLoopBounds } from '../../config/http-bounds.ts'
import { threadMs } from '../domain/thread-time.ts'
import { type BucketSize, createBuckets } from '../limits/bucket.ts'
import { refusedBy } from '../limits/refused-by.ts'

export interface BodyAllowance {
  /** Charges what was read, and how long parsing blocked the loop. */
  charge(request: FastifyRequest, bytes: number, parsedMs: number): void
  /** @throws in the hook, RATE_LIMITED. */
  addTo(app: FastifyInstance): void
}

/** @param nowMs a monotonic clock. */
export function createBodyAllowance(size: BucketSize, nowMs?: () => number): BodyAllowance {
  const { freeMs, msPerSecond } = bodyLoopBounds
  const bytes = createBuckets(size, nowMs)
  /** A body may block the loop for a twentieth of the time; what any call takes is free. */
  const bytesOf = (ms: number) => (ms <= freeMs ? 0 : Math.ceil((ms * size.perSecond) / msPerSecond))
  const perSecond = Math.max(1, Math.floor(size.perSecond / 1024))
  return {
    charge: ({ principal }, count, parsedMs) => {
      if (principal) bytes.take(principal.accountId, Math.max(count, bytesOf(parsedMs)))
    },
    addTo(app) {
      const validatedFrom = new WeakMap<FastifyRequest, number>()
      // Validation runs between these two hooks, without yielding to the event loop.
      app.addHook('preValidation', (request, _reply, done) => {
        validatedFrom.set(request, threadMs())
        done()
      })
      const chargeValidation = (request: FastifyRequest) => {
        const from = validatedFrom.get(request)
        validatedFrom.delete(request)
        const worth = from === undefined ? 0 : bytesOf(threadMs() - from)
        if (request.principal && worth > 0) bytes.take(request.principal.accountId, worth)
      }
      app.addHook('preHandler', (request, _reply, done) => {
        chargeValidation(request)
        done()
      })
      app.addHook('onError', (request, _reply, _error, done) => {
        chargeValidation(request)
        done()
      })
      app.addHook('preParsing', ({ principal, raw: { headers } }, _reply, payload, done) => {
        const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
        const retryAfterSeconds = principal && hasBody ? bytes.waitSeconds(principal.accountId) : 0
        if (retryAfterSeconds === 0) return done(null, payload)
        const message = `This account has sent more than ${perSecond} KiB/s of request bodies for too long. Try again in ${retryAfterSeconds} seconds.`
        done(refusedBy('bodyBytes', message, { retryAfterSeconds }))
      })
    },
  }
}
