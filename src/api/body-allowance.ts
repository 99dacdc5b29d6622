/**
 * What an account's bodies cost everybody: a body is read and taken apart on the event loop before anything can be said of
 * it, so its bytes are charged to its account, also those of a call that is refused for what stands in it; and whoever has
 * used up theirs is refused before a byte of the next one is read. In memory and per process; a restart forgets it. What
 * no account sends has closer bounds, see `boundConnections`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type AllowanceSize, createAllowance } from './allowance.ts'

export interface BodyAllowance {
  /** Charges what was read. */
  charge(request: FastifyRequest, bytes: number): void
  /** @throws in the hook, RATE_LIMITED. */
  addTo(app: FastifyInstance): void
}

/** @param nowMs a clock that only goes forward. */
export function createBodyAllowance(size: AllowanceSize, nowMs: () => number = () => performance.now()): BodyAllowance {
  const bytes = createAllowance(size, nowMs)
  const perSecond = Math.max(1, Math.floor(size.perSecond / 1024))
  return {
    charge: ({ principal }, count) => void (principal && bytes.take(principal.accountId, count)),
    addTo(app) {
      app.addHook('preParsing', ({ principal, raw: { headers } }, _reply, payload, done) => {
        const left = principal ? bytes.left(principal.accountId) : 1
        const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
        if (left >= 1 || !hasBody) return done(null, payload)
        const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / size.perSecond))
        const message = `This account has sent more than ${perSecond} KiB of bodies a second for too long. Try again in ${retryAfterSeconds} seconds.`
        done(new AppError('RATE_LIMITED', message, { retryAfterSeconds }))
      })
    },
  }
}
