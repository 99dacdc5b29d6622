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

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d4ed8"/>
<text x="16" y="23" font-size="20" text-anchor="middle" fill="#fff">प</text></svg>`

export async function addReferencePage(app: FastifyInstance): Promise<void> {
  // The server's address as the reader reached it, so that the page's curl lines can be pasted.
  app.get('/openapi.json', { schema: { hide: true }, config: { public: true } }, async ({ protocol, host }) => {
    const url = `${protocol}://${host}`
    return { ...app.swagger(), servers: [{ url: URL.canParse(url) ? url : '/' }] }
  })
  app.get('/favicon.ico', { schema: { hide: true }, config: { public: true } }, async (_request, reply) =>
    reply.type('image/svg+xml').send(icon),
  )
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
        pageTitle: 'Panji API',
        hideClientButton: true,
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
      },
    })
  })
}
