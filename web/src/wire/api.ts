/**
 * All API calls of the pages, typed by the OpenAPI document and authenticated by the session cookie with its CSRF
 * token. A POST has an Idempotency-Key; a form that moves money sets one for all its tries, and a request without an
 * answer is retried under its key.
 */
import createClient from 'openapi-fetch'
import type { PanjiApiError } from '../../../client/api-error.ts'
import type { operations, paths } from '../../../client/api-types.ts'
import { isOfProxy } from './answers.ts'
import { csrfToken, hasNewSession, isOfFormerSession, sessionRenewed } from './csrf.ts'
import { queries, readAnewAsDone, sessionKey } from './queries.ts'
import { followOtherTab, type Session } from './session.ts'

export { dataOf, PanjiApiError } from '../../../client/api-error.ts'

export type SortOf<Id extends keyof operations> = operations[Id] extends {
  readonly parameters: { readonly query?: { readonly sort?: infer Sort } }
}
  ? Extract<Sort, string>
  : never

const tokenHeader = 'X-CSRF-Token'
const keyHeader = 'Idempotency-Key'

/** A request refused for its token had no effect; its body has been read already. */
const copies = new WeakMap<Request, Request>()

/** The keys of requests that may have been executed, by their content, so that pressing again executes them once. */
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
    // A page that was still loading at sign-out makes no request.
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
    // Without a session a write waits for the person to sign in again.
    const copy = response.status === 401 ? undefined : copies.get(request)
    if (request.method !== 'GET' && copy === undefined) return undefined
    const again = new Request(copy ?? request)
    again.headers.set(tokenHeader, csrfToken())
    return fetch(again)
  },
})

/** The role was lowered after the page loaded: hides what it no longer allows. */
async function followRole(response: Response): Promise<void> {
  if (response.status !== 403 || !rolesMissing.includes(await codeOf(response))) return
  const known = queries.getQueryData<Session>(sessionKey)
  const session = known && (await followOtherTab(known))
  if (session) queries.setQueryData(sessionKey, session)
}
const rolesMissing: readonly unknown[] = ['ROLE_MISSING', 'OPERATOR_ROLE_MISSING']

/** A call that had to wait, or one from another tab, is sent with the new cookie but the old token: a 403. */
async function mayBeSentAnew(response: Response, sent: string | null): Promise<boolean> {
  if (response.status === 401) return hasNewSession(sent)
  if (response.status !== 403 || (await codeOf(response)) !== 'CSRF_TOKEN_MISSING') return false
  if (await isOfFormerSession(sent)) return true
  const known = queries.getQueryData<Session>(sessionKey)
  return known !== undefined && known !== null && (await followOtherTab(known)) !== undefined
}

async function codeOf(response: Response): Promise<unknown> {
  // A proxy has its own error texts.
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return undefined
  const body: unknown = await response.clone().json()
  return (body as Partial<PanjiApiError['body']>).error_code
}

/** `crypto.randomUUID` is missing on pages served over plain http from another machine. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
