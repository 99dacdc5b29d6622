/**
 * The pages of the console and of the app, and their assets, from `web/dist`: read once per process, compressed once,
 * the same for everybody. A path under /console or /app that is not an operation is a state of the page, so it is
 * answered with the page. If `web/dist` was never built, a plain page says how.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createPackedAsset, type PackedAsset } from './packed-asset.ts'

/** Nothing from elsewhere, nothing inline: only the pages' own scripts run. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types: ReadonlyMap<string, string> = new Map([
  ['.js', 'application/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json; charset=utf-8'],
])
const html = 'text/html; charset=utf-8'
const entries = ['console', 'app'] as const
/** From the checkout and, as `dist/web/dist`, from the package. */
export const builtPages = fileURLToPath(new URL('../../web/dist/', import.meta.url))

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Panji</title>
<h1>The pages are not built</h1>
<p>This checkout has no <code>web/dist</code>. Run <code>npm run build:web</code> and start Panji again. The API is described
at <a href="/docs/">/docs/</a>.</p></html>`

interface WebPages {
  readonly isBuilt: boolean
  readonly pages: Readonly<Record<(typeof entries)[number], PackedAsset>>
  readonly assets: ReadonlyMap<string, PackedAsset>
}

const read = new Map<string, WebPages>()

function pagesIn(folder: string): WebPages {
  const known = read.get(folder) ?? readPages(folder)
  read.set(folder, known)
  return known
}

function readPages(folder: string): WebPages {
  const isBuilt = entries.every((entry) => existsSync(`${folder}/${entry}.html`))
  const pageOf = (entry: string) =>
    createPackedAsset(isBuilt ? readFileSync(`${folder}/${entry}.html`) : Buffer.from(notBuilt), html)
  const names = isBuilt && existsSync(`${folder}/assets`) ? readdirSync(`${folder}/assets`) : []
  const assets = new Map(
    names.flatMap((name) => {
      const type = types.get(extname(name))
      return type ? [[name, createPackedAsset(readFileSync(`${folder}/assets/${name}`), type)] as const] : []
    }),
  )
  return { isBuilt, pages: { console: pageOf('console'), app: pageOf('app') }, assets }
}

const hidden = { schema: { hide: true }, config: { public: true } } as const
/** Below these the document has operations, which are not states of a page. */
const operations = /^\/(console|app)\/sessions?(\/|$)/

/** @returns where a browser without a specific path is redirected. */
export function addWebPages(app: FastifyInstance, folder: string): string {
  const { isBuilt, pages, assets } = pagesIn(folder)
  for (const entry of entries) {
    app.get(`/${entry}`, hidden, async (request, reply) => pages[entry].reply(request, guarded(reply)))
    app.get(`/${entry}/*`, hidden, async (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      if (operations.test(path) || types.has(extname(path))) return reply.callNotFound()
      return pages[entry].reply(request, guarded(reply))
    })
  }
  app.get<{ Params: { name: string } }>('/assets/:name', hidden, async (request, reply) => {
    const asset = assets.get(request.params.name)
    if (!asset) return reply.callNotFound()
    reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    return asset.reply(request, reply)
  })
  return isBuilt ? '/console' : '/docs/'
}

/** The page is revalidated each time, at the cost of a 304: the names in it change with each build. */
function guarded(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'private, no-cache',
  })
}
