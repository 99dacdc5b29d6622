/**
 * /openapi.json, the reference page /docs and the list of errors /docs/errors, all public and the same for everybody,
 * so each is built once and served from memory. The page loads nothing from elsewhere; its policy forbids it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { holds } from './hooks/etag.ts'
import { createPackedAsset, encodingFor, type PackedAsset } from './packed-asset.ts'
import type { RenderedReference } from './reference-thread.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'

/**
 * The style elements that the library's script creates, by the digest of their text, in the order of this version. A
 * style of another version is not applied until its digest is listed here; the browser reports it in its console.
 */
export const referenceStyles = {
  version: '1.72.1',
  digests: [
    'd7niGYA9R/xp7r1pyc/+3ntTepKCabnrqd2exao76s4=',
    'DLlkYCuDYGe6ME23YkUFB7Tc36rGDeo4mVBFbZX3uaU=',
    'ZW1GSuo0pKyEx5Ar7ZC5Dflb/mjatjeTW9aVx0iZAzE=',
    'rO+6k1mDRASa9Q8IQu9I3bF+bjRdxDreAZCyGSaxzeI=',
    // Empty, filled later.
    '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ],
} as const

const policyFor = (styles: readonly string[]): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles.map((digest) => `'sha256-${digest}'`).join(' ')}`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
const referencePolicy = policyFor(referenceStyles.digests)

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d4ed8"/>
<text x="16" y="23" font-size="20" text-anchor="middle" fill="#fff">प</text></svg>`

/** The page's script, versioned by its content, so that it may be cached for ever. */
const scriptName = (version: string) => `scalar-${version}.js`
const hidden = { schema: { hide: true }, config: { public: true } } as const

interface ReferenceParts {
  /** Where a browser without a specific path is redirected. */
  readonly home: string
  /** Origin under which the API is reached. */
  readonly publicUrl?: string | undefined
  /**
   * Builds the document as soon as the server listens, before any call: it blocks the event loop for half a second,
   * which would otherwise hit the first caller and everybody else.
   */
  readonly documentAtStart: boolean
}
export async function addReferencePage(
  app: FastifyInstance,
  { home, publicUrl = '/', documentAtStart }: ReferenceParts,
): Promise<void> {
  addDocument(app, publicUrl, documentAtStart)
  app.get('/favicon.ico', hidden, async (_request, reply) => reply.type('image/svg+xml').send(icon))
  const errors = errorPage()
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', referencePolicy)
    })
    // A person who opens the printed URL of the API in a browser wants a page.
    docs.get('/', hidden, async (_request, reply) => reply.redirect(home, 302))
    docs.get('/docs', hidden, async (_request, reply) => reply.redirect('/docs/', 301))
    docs.get('/docs/', hidden, async (request, reply) => (await page()).html.reply(request, reply))
    docs.get('/docs/errors', hidden, async (request, reply) => {
      reply.header('Content-Security-Policy', errors.policy)
      return errors.page.reply(request, reply)
    })
    docs.get<{ Params: { name: string } }>('/docs/js/:name', hidden, async (request, reply) => {
      const { script, start } = await page()
      switch (request.params.name) {
        case scriptName(script.version):
          reply.header('Cache-Control', 'public, max-age=31536000, immutable')
          return script.reply(request, reply)
        // For URLs without a version: the same bytes, revalidated each time.
        case 'scalar.js':
          reply.header('Cache-Control', 'public, no-cache')
          return script.reply(request, reply)
        case 'start.js':
          return start.reply(request, reply)
        default:
          return reply.callNotFound()
      }
    })
  })
}

/** The server's URL as configured, otherwise relative to the document's own: the Host of a caller is never repeated. */
function addDocument(app: FastifyInstance, serverUrl: string, atStart: boolean): void {
  let made: ServedDocument | undefined
  const document = (): ServedDocument => {
    made ??= serveDocument(app.swagger(), serverUrl)
    return made
  }
  if (atStart) app.addHook('onListen', async () => void document())
  app.get('/openapi.json', hidden, async (request, reply) => {
    const served = document()
    const packed = encodingFor(request, ['gzip']) !== undefined
    const tag = `"${served.version}${packed ? '-gzip' : ''}"`
    reply.headers({ ETag: tag, Vary: 'accept-encoding' })
    if (holds(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    if (!packed) return reply.send(served.plain)
    return reply.header('Content-Encoding', 'gzip').send(served.gzipped)
  })
}

interface Page {
  /** Calls the library's script. */
  readonly start: PackedAsset
  readonly script: PackedAsset
  readonly html: PackedAsset
}

/** The target of an error's `doc_url`: generated by `npm run docs` from the list of codes. */
function errorPage(): { readonly page: PackedAsset; readonly policy: string } {
  const html = readFileSync(new URL('error-page.html', import.meta.url), 'utf8')
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text)
  return {
    page: createPackedAsset(Buffer.from(html), 'text/html; charset=utf-8'),
    policy: policyFor(styles.map((text) => createHash('sha256').update(text).digest('base64'))),
  }
}

// In the same folder and of the same kind: TypeScript in a checkout, JavaScript in a package.
const thread = join(import.meta.dirname, `reference-thread${extname(import.meta.filename)}`)
let made: Promise<Page> | undefined

/**
 * Rendered once per process, for its first reader. The library takes 0.9 s of processor time and 70 MiB, which most
 * processes never need, so it gets a thread of its own: other calls do not wait, and the memory is returned.
 */
function page(): Promise<Page> {
  made ??= render().catch((error: unknown) => {
    // The next reader tries again.
    made = undefined
    throw error
  })
  return made
}

async function render(): Promise<Page> {
  const [rendered] = await once(new Worker(thread), 'message')
  return pageOf(rendered)
}

function pageOf({ script, html }: RenderedReference): Page {
  const packed = createPackedAsset(Buffer.from(script), 'application/javascript; charset=utf-8')
  const [inline, call] = /<script type="text\/javascript">(.*?)<\/script>/s.exec(html) ?? []
  if (inline === undefined || call === undefined || !html.includes('"js/scalar.js"'))
    throw new Error('the reference page uses other script names than expected')
  const named = html
    .replace('"js/scalar.js"', `"js/${scriptName(packed.version)}"`)
    .replace(inline, '<script src="js/start.js"></script>')
  return {
    script: packed,
    start: createPackedAsset(Buffer.from(call), 'application/javascript; charset=utf-8'),
    html: createPackedAsset(Buffer.from(named), 'text/html; charset=utf-8'),
  }
}
