/**
 * `ETag` and `If-None-Match` for routes that opt in with `config: { etag: true }`: a response that the caller already
 * has is a 304 without a body. `rate_limit`, which changes with every call, is not part of the tag.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

export function addEtags(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.routeOptions.config.etag !== true || reply.statusCode !== 200) return done(null, payload)
    const { rate_limit: _changes, ...lasting } = payload as Readonly<Record<string, unknown>>
    const tag = etagOf(lasting)
    reply.header('ETag', tag)
    if (holds(request.headers['if-none-match'], tag)) reply.code(304).serializer(() => '')
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.etag !== true || reply.statusCode !== 304) return done(null, payload)
    reply.removeHeader('content-type').removeHeader('content-length')
    done(null, null)
  })
}

/** Weak, because the rest of the response may differ. */
function etagOf(lasting: object): string {
  return `W/"${hash('sha256', JSON.stringify(lasting), 'base64url').slice(0, 27)}"`
}

/** RFC 9110, 13.1.2: a list of tags or `*`, compared weakly. */
export function holds(header: string | undefined, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '')
  const given = header?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? []
  return given.includes('*') || given.includes(opaque)
}
