/**
 * /openapi.json, the reference page /docs and the list of errors /docs/errors, all public and the same for everybody, so each is made once and served
 * from memory. The page loads nothing from elsewhere; its policy forbids it.
 */
import { readFileSync } from 'node:fs'
import reference from '@scalar/fastify-api-reference'
import Fastify, { type FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { holds } from './hooks/etag.ts'
import { createPackedAsset, encodingFor, type PackedAsset } from './packed-asset.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'

const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d4ed8"/>
<text x="16" y="23" font-size="20" text-anchor="middle" fill="#fff">प</text></svg>`

/** Where the page's script lies: the address changes with its content, so it may be kept for ever. */
const scriptName = (version: string) => `js/scalar-${version}.js`
const hidden = { schema: { hide: true }, config: { public: true } } as const

/**
 * @param home where a browser is led that asks for nothing in particular.
 * @param documentAtStart makes the document as soon as the server listens, before any call is read: it takes the event loop
 * for half a second, which at first use is a caller's, and everybody else's.
 */
export async function addReferencePage(app: FastifyInstance, home: string, documentAtStart: boolean): Promise<void> {
  addDocument(app, documentAtStart)
  app.get('/favicon.ico', hidden, async (_request, reply) => reply.type('image/svg+xml').send(icon))
  const { script, html } = await page()
  const errors = errorPage()
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (request, reply) => {
      if (!URL.canParse(`http://${request.hostname}`))
        throw new AppError('BAD_REQUEST', 'The Host header is not valid.')
      reply.header('Content-Security-Policy', policy)
    })
    // Whoever opens the printed address of the API in a browser is looking for a page.
    docs.get('/', hidden, async (_request, reply) => reply.redirect(home, 302))
    docs.get('/docs', hidden, async (_request, reply) => reply.redirect('/docs/', 301))
    docs.get('/docs/', hidden, async (request, reply) => html.reply(request, reply))
    docs.get('/docs/errors', hidden, async (request, reply) => errors.reply(request, reply))
    docs.get(`/docs/${scriptName(script.version)}`, hidden, async (request, reply) => {
      reply.header('Cache-Control', 'public, max-age=31536000, immutable')
      return script.reply(request, reply)
    })
    // For who wrote down the address without a version: the same bytes, asked for again each time.
    docs.get('/docs/js/scalar.js', hidden, async (request, reply) => {
      reply.header('Cache-Control', 'public, no-cache')
      return script.reply(request, reply)
    })
  })
}

/** The server's address as the reader reached it, so that the page's curl lines can be pasted. */
function addDocument(app: FastifyInstance, atStart: boolean): void {
  let made: ServedDocument | undefined
  const document = (): ServedDocument => {
    made ??= serveDocument(app.swagger())
    return made
  }
  if (atStart) app.addHook('onListen', async () => void document())
  app.get('/openapi.json', hidden, async (request, reply) => {
    const served = document()
    const given = `${request.protocol}://${request.host}`
    const url = URL.canParse(given) ? given : '/'
    const packed = encodingFor(request, ['gzip']) !== undefined
    const tag = `"${served.version(url)}${packed ? '-gzip' : ''}"`
    reply.headers({ ETag: tag, Vary: 'accept-encoding' })
    if (holds(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    if (!packed) return reply.send(served.plain(url))
    return reply.header('Content-Encoding', 'gzip').send(served.gzipped(url))
  })
}

interface Page {
  readonly script: PackedAsset
  readonly html: PackedAsset
}

/** What `doc_url` of an error names: written by `npm run docs` from the list of codes. */
const errorPage = (): PackedAsset =>
  createPackedAsset(readFileSync(new URL('error-page.html', import.meta.url)), 'text/html; charset=utf-8')

let made: Promise<Page> | undefined

/** The page as the library renders it, asked of it once per process, in a server that nobody else reaches. */
function page(): Promise<Page> {
  made ??= render()
  return made
}

async function render(): Promise<Page> {
  const library = Fastify()
  const configuration = {
    url: '/openapi.json',
    title: 'Panji API',
    pageTitle: 'Panji API',
    hideClientButton: true,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  } as const
  await library.register(reference, { routePrefix: '/docs', configuration })
  const script = await library.inject('/docs/js/scalar.js')
  const html = await library.inject('/docs/')
  await library.close()
  const packed = createPackedAsset(script.rawPayload, 'application/javascript; charset=utf-8')
  const named = html.body.replace('"js/scalar.js"', `"${scriptName(packed.version)}"`)
  if (!named.includes(scriptName(packed.version)))
    throw new Error('the reference page names its script otherwise than before')
  return { script: packed, html: createPackedAsset(Buffer.from(named), 'text/html; charset=utf-8') }
}
