/**
 * Every call of the pages: paths and bodies are those of the OpenAPI document, who calls is told by the session's cookie
 * and the token beside it. A POST carries an Idempotency-Key; a form that moves money sets one for all its tries.
 */
import createClient from 'openapi-fetch'
import type { operations, paths } from '../../../client/api-types.ts'
import { csrfToken, hasNewSession, isOfFormerSession, sessionRenewed } from './csrf.ts'

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
  async onRequest({ request }) {
    await sessionRenewed()
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
    if (!(await mayBeSentAnew(response, request.headers.get(tokenHeader)))) return undefined
    // Only a read is made again: an act waits for the person who has signed in anew.
    if (request.method !== 'GET') return undefined
    const again = new Request(request)
    again.headers.set(tokenHeader, csrfToken())
    return fetch(again)
  },
})

/** The browser sends a call that had to wait with the cookie of then, and the token is that of before: a 403. */
async function mayBeSentAnew(response: Response, sent: string | null): Promise<boolean> {
  if (response.status === 401) return hasNewSession(sent)
  return response.status === 403 && (await isOfFormerSession(sent))
}

/** `crypto.randomUUID` is missing where the page came by plain http from another machine. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
