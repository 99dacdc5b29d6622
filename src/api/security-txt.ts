/**
 * `/.well-known/security.txt` (RFC 9116): a contact for reporting vulnerabilities; 404 where the operator configured
 * none.
 */
import type { FastifyInstance } from 'fastify'

const validDays = 180

/** @param contact a `mailto:` or `https:` URL. */
export function addSecurityTxt(app: FastifyInstance, contact: string | undefined): void {
  if (contact === undefined) return
  app.get(
    '/.well-known/security.txt',
    { schema: { hide: true }, config: { public: true } },
    async (_request, reply) => {
      const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000
      const expires = new Date(midnight + validDays * 86_400_000).toISOString()
      return reply
        .type('text/plain; charset=utf-8')
        .send(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`)
    },
  )
}
