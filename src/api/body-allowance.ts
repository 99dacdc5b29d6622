/**
 * What an account's bodies cost everybody: a body is read and taken apart on the event loop before anything can be said of
 * it, so its bytes are charged to its account, also those of a call that is refused for what stands in it; and whoever has
 * used up theirs is refused before a byte of the next one is read. A body that keeps the loop for longer than its bytes say is charged
 * with the processor time that it took, which a busy machine does not lengthen. In memory and per process; a restart forgets it. What
 * no account sends has closer bounds, see `boundConnections`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyLoopBounds } from '../../config/http-bounds.ts'
import { threadMs } from '../domain/thread-time.ts'
import { type BucketSize, createBuckets } from '../limits/bucket.ts'
import { refusedBy } from '../limits/refused-by.ts'

export interface BodyAllowance {
  /** Charges what was read, and how long the loop took to parse it. */
  charge(request: FastifyRequest, bytes: number, parsedMs: number): void
  /** @throws in the hook, RATE_LIMITED. */
  addTo(app: FastifyInstance): void
}

/** @param nowMs a clock that only goes forward. */
export function createBodyAllowance(size: BucketSize, nowMs?: () => number): BodyAllowance {
  const { freeMs, msPerSecond } = bodyLoopBounds
  const bytes = createBuckets(size, nowMs)
  /** A body may keep the loop for a twentieth of the time; what any call takes is free. */
  const bytesOf = (ms: number) => (ms <= freeMs ? 0 : Math.ceil((ms * size.perSecond) / msPerSecond))
  const perSecond = Math.max(1, Math.floor(size.perSecond / 1024))
  return {
    charge: ({ principal }, count, parsedMs) => {
      if (principal) bytes.take(principal.accountId, Math.max(count, bytesOf(parsedMs)))
    },
    addTo(app) {
      const validatedFrom = new WeakMap<FastifyRequest, number>()
      // The schemas are asked between these two, without a turn of the loop in between.
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
        const message = `This account has sent more than ${perSecond} KiB of bodies a second for too long. Try again in ${retryAfterSeconds} seconds.`
        done(refusedBy('bodyBytes', message, { retryAfterSeconds }))
      })
    },
  }
}
