/**
 * Generates a client from an OpenAPI document with the second generator, in a process of its own: `node
 * generate-client.ts <document.json> <folder>`. The generator requires any TypeScript and needs the compiler's library,
 * which the project's own version lacks; so it is given the client's.
 */
import { registerHooks } from 'node:module'

const client = new URL('../../client/package.json', import.meta.url).href
registerHooks({
  resolve: (name, context, next) => next(name, name === 'typescript' ? { ...context, parentURL: client } : context),
})
const { createClient } = await import('@hey-api/openapi-ts')
const [, , input = '', path = ''] = process.argv
await createClient({
  input,
  output: { path },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'warn', file: false },
})
