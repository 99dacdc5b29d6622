/**
 * Every call of the pages: paths and bodies are those of the OpenAPI document, who calls is told by the session's cookie
 * and the token beside it. A POST carries an Idempotency-Key; a form that moves money sets one for all its tries, and what nothing
 * answered is sent again under the key that it had.
 */
import createClient from 'openapi-fetch'
import type { PanjiApiError } from '../../../client/api-error.ts'
import type { operations, paths } from '../../../client/api-types.ts'
import { isOfProxy } from './answers.ts'
import { csrfToken, hasNewSession, isOfFormerSession, sessionRenewed } from './csrf.ts'
import { queries, readAnewAsDone, sessionKey } from './queries.ts'
import { followOtherTab, type Session } from './session.ts'

export { dataOf, PanjiApiError } from '../../../client/api-error.ts'

/** The orders that an operation puts its list into. */
export type SortOf<Id extends keyof operations> = operations[Id] extends {
  readonly parameters: { readonly query?: { readonly sort?: infer Sort } }
}
  ? Extract<Sort, string>
  : never

const tokenHeader = 'X-CSRF-Token'
const keyHeader = 'Idempotency-Key'

/** What was refused for its token has done nothing, and its body is read already. */
const copies = new WeakMap<Request, Request>()

/** The key of what was sent and may have happened, by what it asks for: pressed again it happens once. */
const unanswered = new Map<string, string>()
const askedBy = new WeakMap<Request, string>()

async function keyOf(request: Request): Promise<string> {
  const asked = `${request.url} ${await request.clone().text()}`
  askedBy.set(request, asked)
  return unanswered.get(asked) ?? newIdempotencyKey()
}

function note(request: Request, isAnswered: boolean): void {
  const asked = askedBy.get(request)
  const key = request.headers.get(keyHeader)
  if (asked === undefined || key === null) return
  if (isAnswered) unanswered.delete(asked)
  else unanswered.set(asked, key)
}

export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' })

api.use({
  async onRequest({ request }) {
    await sessionRenewed()
    const token = csrfToken()
    // A page that was still loading when its reader signed out asks for nothing.
    if (token === '')
      return Response.json({ detail: 'Nobody is signed in.', error_code: 'UNAUTHENTICATED' }, { status: 401 })
    request.headers.set(tokenHeader, token)
    if (request.method === 'POST' && !request.headers.has(keyHeader)) {
      request.headers.set(keyHeader, await keyOf(request))
    }
    if (request.method !== 'GET') copies.set(request, request.clone())
    return request
  },
  onError({ request }) {
    note(request, false)
  },
  async onResponse({ request, response }) {
    note(request, !isOfProxy(response.status))
    if (request.method !== 'GET') void followRole(response)
    if (response.status === 202) readAnewAsDone()
    if (!(await mayBeSentAnew(response, request.headers.get(tokenHeader)))) return undefined
    // Where nobody was signed in an act waits for the person who has signed in anew.
    const copy = response.status === 401 ? undefined : copies.get(request)
    if (request.method !== 'GET' && copy === undefined) return undefined
    const again = new Request(copy ?? request)
    again.headers.set(tokenHeader, csrfToken())
    return fetch(again)
  },
})

/** The role of who acts was lowered since the page began: what it does not allow any more is not offered from now on. */
async function followRole(response: Response): Promise<void> {
  if (response.status !== 403 || !rolesMissing.includes(await codeOf(response))) return
  const known = queries.getQueryData<Session>(sessionKey)
  const session = known && (await followOtherTab(known))
  if (session) queries.setQueryData(sessionKey, session)
}
const rolesMissing: readonly unknown[] = ['ROLE_MISSING', 'OPERATOR_ROLE_MISSING']

/** The browser sends a call that had to wait, or one of another tab, with the cookie of then, and the token is that of before: a 403. */
async function mayBeSentAnew(response: Response, sent: string | null): Promise<boolean> {
  if (response.status === 401) return hasNewSession(sent)
  if (response.status !== 403 || (await codeOf(response)) !== 'CSRF_TOKEN_MISSING') return false
  if (await isOfFormerSession(sent)) return true
  const known = queries.getQueryData<Session>(sessionKey)
  return known !== undefined && known !== null && (await followOtherTab(known)) !== undefined
}

async function codeOf(response: Response): Promise<unknown> {
  // A proxy refuses in words of its own.
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return undefined
  const body: unknown = await response.clone().json()
  return (body as Partial<PanjiApiError['body']>).error_code
}

/** `crypto.randomUUID` is missing where the page came by plain http from another machine. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
