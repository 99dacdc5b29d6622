/**
 * Headers of every response, including errors and unknown paths: transport security, no sniffing, no storing, no
 * framing, the request's ID, and on the developer API the burst limit until a more specific limit replaces it.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { burstPerMinute } from '../../../config/plans.ts'
import type { Drain } from '../drain.ts'

export const securityHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store, private',
  // Pages need other policies, and set their own.
  'Content-Security-Policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

/** The caller's ID if it is well-formed, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

export function setRateLimit(
  reply: FastifyReply,
  reading: { readonly limit: number; readonly remaining: number; readonly resetAt: Date },
): void {
  reply.headers({
    'X-RateLimit-Limit': String(reading.limit),
    'X-RateLimit-Remaining': String(reading.remaining),
    'X-RateLimit-Reset': reading.resetAt.toISOString(),
  })
}

/** What is left of the day's record budget; nothing where there is no limit. */
export function setRecordBudget(
  reply: FastifyReply,
  {
    limit,
    remaining,
    resetAt,
  }: { readonly limit: number | null; readonly remaining: number | null; readonly resetAt: Date },
): void {
  if (limit === null || remaining === null) return
  reply.headers({
    'X-RateLimit-Records-Limit': String(limit),
    'X-RateLimit-Records-Remaining': String(remaining),
    'X-RateLimit-Records-Reset': resetAt.toISOString(),
  })
}

/**
 * While the server is draining and closing, every response ends its connection: a kept one would keep the process alive
 * for a minute more.
 */
export function endConnectionsOnClose(app: FastifyInstance, drain: Drain): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || drain.hasBegun()) reply.header('Connection', 'close')
    done(null, payload)
  })
}

export function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setOpeningHeaders(request, reply)
    done()
  })
}

export function setOpeningHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...securityHeaders, 'X-Request-Id': request.id })
  if (!request.url.startsWith('/api/') && !request.url.startsWith('/app/session')) return
  // The caller is not known yet: what any caller would have at the start of the minute.
  const resetAt = new Date(Math.ceil((Date.now() + 1) / 60_000) * 60_000)
  setRateLimit(reply, { limit: burstPerMinute, remaining: burstPerMinute, resetAt })
}
