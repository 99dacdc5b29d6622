/**
 * Rejects duplicate headers: of two Host, Authorization or Content-Type headers a proxy may have read one and Panji the
 * other. Also rejects a missing Host and one that is not a server name.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

const single: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'origin',
  'cookie',
  'idempotency-key',
])

export function refuseDoubledHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const seen = new Set<string>()
    for (let at = 0; at < raw.rawHeaders.length; at += 2) {
      const name = raw.rawHeaders[at]?.toLowerCase() ?? ''
      if (!single.has(name)) continue
      if (seen.has(name)) return done(new AppError('BAD_REQUEST', `The header ${name} was sent twice. Send it once.`))
      seen.add(name)
    }
    const { host } = raw.headers
    if (host === undefined && raw.httpVersion === '1.1')
      return done(new AppError('BAD_REQUEST', 'The Host header is missing.'))
    if (host !== undefined && host !== '' && !isServerName(host))
      return done(new AppError('BAD_REQUEST', 'The Host header is not valid.'))
    done()
  })
}

/** A name or an address with an optional port, and nothing else. */
function isServerName(host: string): boolean {
  const url = `http://${host}`
  if (!/^[\w.:[\]%~-]+$/.test(host) || !URL.canParse(url)) return false
  const { pathname, username, search, hash } = new URL(url)
  return [pathname, username, search, hash].join('') === '/'
}
