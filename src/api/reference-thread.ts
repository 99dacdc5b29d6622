/** The thread that renders the reference page, see reference-page.ts: in a server of the library that no one else reaches. */
import { parentPort } from 'node:worker_threads'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

export interface RenderedReference {
  readonly script: Uint8Array
  readonly html: string
}

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
parentPort?.postMessage({ script: script.rawPayload, html: html.body } satisfies RenderedReference)
