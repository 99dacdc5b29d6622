/**
 * Behind an untrusted proxy everybody shares one address. The first request that shows this (`X-Forwarded-For` while no
 * proxy is trusted) is reported, once per process: in the log, and in the audit log, where doctor looks.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noteForwarded } from '../../access/forwarded-notes.ts'
import type { Queryable } from '../../db/db.ts'
import { addressOf } from '../../domain/client-address.ts'

export function warnOfUntrustedProxy(app: FastifyInstance, db: Queryable, trustedProxies: readonly string[]): void {
  if (trustedProxies.length > 0) return
  let isNoted = false
  const noted = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (isNoted || request.headers['x-forwarded-for'] === undefined) return done()
    isNoted = true
    const address = addressOf(request.ip)
    request.log.warn(
      { requestId: request.id, proxy: address },
      'X-Forwarded-For was sent but no proxy is trusted: all callers count as one address. Set PANJI_TRUSTED_PROXIES.',
    )
    noted.add(request)
    done()
  })
  // Runs after the response, which neither waits for it nor fails with it.
  app.addHook('onResponse', (request, _reply, done) => {
    if (noted.has(request)) void noteForwarded(db, addressOf(request.ip)).then(() => done(), done)
    else done()
  })
}
