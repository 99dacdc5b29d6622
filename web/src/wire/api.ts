/**
 * Every call of the pages: paths and bodies are those of the OpenAPI document, who calls is told by the session's cookie
 * and the token beside it. A POST carries an Idempotency-Key; a form that moves money sets one for all its tries.
 */
import createClient from 'openapi-fetch'
import type { operations, paths } from '../../../client/api-types.ts'
import { csrfToken, hasNewSession } from './csrf.ts'

export { dataOf, PanjiApiError } from '../../../client/api-error.ts'

/** The orders that an operation puts its list into. */
export type SortOf<Id extends keyof operations> = operations[Id] extends {
  readonly parameters: { readonly query?: { readonly sort?: infer Sort } }
}
  ? Extract<Sort, string>
  : never

const tokenHeader = 'X-CSRF-Token'

export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' })

api.use({
  onRequest({ request }) {
    const token = csrfToken()
    // A page that was still loading when its reader signed out asks for nothing.
    if (token === '')
      return Response.json({ detail: 'Nobody is signed in.', error_code: 'UNAUTHENTICATED' }, { status: 401 })
    request.headers.set(tokenHeader, token)
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', newIdempotencyKey())
    }
    return request
  },
  async onResponse({ request, response }) {
    if (response.status !== 401 || !(await hasNewSession(request.headers.get(tokenHeader)))) return undefined
    // Only a read is made again: an act waits for the person who has signed in anew.
    if (request.method !== 'GET') return undefined
    const again = new Request(request)
    again.headers.set(tokenHeader, csrfToken())
    return fetch(again)
  },
})

/** `crypto.randomUUID` is missing where the page came by plain http from another machine. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
