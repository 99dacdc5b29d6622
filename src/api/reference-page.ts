/** /openapi.json and the reference page /docs, both public. The page loads nothing from elsewhere; its policy forbids it. */
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

export async function addReferencePage(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true }, config: { public: true } }, async () => app.swagger())
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (request, reply) => {
      // The page's redirect builds an address from the Host header, which may be anything.
      if (!URL.canParse(`http://${request.hostname}`))
        throw new AppError('BAD_REQUEST', 'The Host header is not valid.')
      reply.header('Content-Security-Policy', policy)
    })
    await docs.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        title: 'Panji API',
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
      },
    })
  })
}
