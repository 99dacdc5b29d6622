/** Browsers of other origins may call the developer API only if the operator has listed their origin. */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { answerHeaders } from './answer-headers.ts'
import { operationsOf } from './operations/index.ts'

/** Cookies are only for our own pages, so credentials stay off; /admin and the rest answer no other origin. */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  const methods = ['HEAD', ...new Set(operationsOf('developer').map(({ method }) => method))]
  await app.register(cors, {
    delegator: (request, done) => {
      const { origin } = request.headers
      const named = origin !== undefined && allowed.has(origin) && request.url.startsWith('/api/')
      done(null, {
        origin: named,
        methods,
        allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
        exposedHeaders: Object.keys(answerHeaders),
        maxAge: 600,
        // Otherwise an odd preflight would be refused in plain text, not in the format of every other error.
        strictPreflight: false,
      })
    },
  })
}
