/**
 * Signing in and out at one of the two doors. The cookie is the browser's own affair: no script can read it. What comes
 * back is who came in, what they may do, and the token that every further call carries.
 */
import { PanjiApiError } from '../../../client/api-error.ts'
import { csrfToken, keepCsrfToken, renewSession } from './csrf.ts'

export interface OperatorSession {
  readonly name: string
  readonly role: 'accountant' | 'viewer' | 'operator' | 'owner'
  readonly is_sample_world: boolean
}

export interface AccountSession {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Who signed in; null where an API key did. */
  readonly person: {
    readonly person_id: string
    readonly name: string
    readonly email: string
    readonly role: 'viewer' | 'buyer' | 'admin'
  } | null
  /** The account requires a second factor, and who signed in has none yet. */
  readonly must_add_second_factor: boolean
  /** The operator who looks at the account; null for its own people. */
  readonly viewed_by: string | null
  readonly is_sample_world: boolean
}

export type Session = OperatorSession | AccountSession

/** Two sessions of one person are alike in it, and no others. */
export const whoseIs = (session: Session): string =>
  'user_id' in session ? [session.user_id, session.person?.person_id, session.viewed_by].join(' ') : session.name

export type BasePath = '/console' | '/app'
type Credentials =
  | { readonly token: string; readonly totp?: string }
  | { readonly code: string; readonly totp?: string }
  | { readonly api_key: string }

/**
 * Whether somebody signed in here is noted in this browser, because no script sees the cookie: a door that nobody went
 * through yet asks nothing that would be refused.
 * @returns null where nobody is signed in.
 */
export async function readSession<Kind extends Session>(base: BasePath): Promise<Kind | null> {
  if (localStorage.getItem(signedIn(base)) === null) return null
  const response = await fetch(`${base}/session`)
  return response.status === 401 ? forget(base) : keep<Kind>(response)
}

/**
 * Another tab of this browser has signed in anew, and this page has the token of before.
 * @returns the session where it is one of the person of `known`, who goes on here, too.
 */
export async function followOtherTab<Kind extends Session>(known: Kind): Promise<Kind | undefined> {
  const response = await fetch('user_id' in known ? '/app/session' : '/console/session')
  if (!response.ok) return undefined
  const session = (await response.json()) as Kind & { readonly csrf_token: string }
  if (whoseIs(session) !== whoseIs(known)) return undefined
  keepCsrfToken(session.csrf_token)
  return session
}

const signedIn = (base: BasePath): string => `panji-signed-in${base}`

function forget(base: BasePath): null {
  localStorage.removeItem(signedIn(base))
  return null
}

/** @throws PanjiApiError with the sentence of the server when the credentials are refused. */
export function signIn<Kind extends Session>(base: BasePath, credentials: Credentials): Promise<Kind> {
  return renewSession(enter<Kind>(base, credentials))
}

async function enter<Kind extends Session>(base: BasePath, credentials: Credentials): Promise<Kind> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${base}/session`, { method: 'POST', headers, body: JSON.stringify(credentials) })
  const session = await keep<Kind>(response)
  localStorage.setItem(signedIn(base), 'yes')
  return session
}

export interface SignInWays {
  readonly mailed_link: boolean
  /** Sandbox CRMs run beside it: a sample world. */
  readonly sandbox_crms: boolean
  readonly oidc: { readonly name: string; readonly path: string } | null
}

/** What is not set up is not offered. */
export async function readSignInWays(): Promise<SignInWays> {
  const response = await fetch('/app/sign-in')
  const body: unknown = await response.json()
  if (!response.ok) throw new PanjiApiError(response.status, body as Partial<PanjiApiError['body']>)
  return body as SignInWays
}

/** Asks for a link by e-mail. @returns the server's sentence, which is the same whether or not there is such an account. */
export async function mailSignInLink(email: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch('/app/session/link', { method: 'POST', headers, body: JSON.stringify({ email }) })
  const body = (await response.json()) as { readonly detail: string } & Partial<PanjiApiError['body']>
  if (!response.ok) throw new PanjiApiError(response.status, body)
  return body.detail
}

/** Of a session that another page has opened for this browser. */
export const noteSignedIn = (base: BasePath): void => localStorage.setItem(signedIn(base), 'yes')

/** What this page holds goes in any case; where the server is not reached the session ends by its own time. */
export async function signOut(base: BasePath): Promise<void> {
  const headers = { 'X-CSRF-Token': csrfToken() }
  keepCsrfToken('')
  forget(base)
  sessionStorage.clear()
  await fetch(`${base}/session`, { method: 'DELETE', headers }).catch(() => undefined)
}

/** A one-time code that lets in. */
export interface SignInCode {
  readonly code: string
  /** Of several that one may choose from, the name of the account that it opens. */
  readonly account: string | undefined
}

/** The one-time codes of a link. They are taken out of the address before one is used. */
export function takeCodesFromAddress(): readonly SignInCode[] {
  const accounts = said().getAll('account')
  return takeFromAddress('code').map((code, place) => ({ code, account: accounts[place] }))
}
/** A word for why a sign-in at the provider did not succeed. */
export const takeRefusalFromAddress = (): string | undefined => takeFromAddress('refused')[0]

const said = () => new URLSearchParams(location.hash.slice(1))

function takeFromAddress(name: string): readonly string[] {
  const values = said().getAll(name)
  if (values.length > 0) history.replaceState(null, '', location.pathname + location.search)
  return values
}

async function keep<Kind extends Session>(response: Response): Promise<Kind> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body: unknown = isJson ? await response.json() : {}
  if (!response.ok) throw new PanjiApiError(response.status, body as Partial<PanjiApiError['body']>)
  const session = body as Kind & { readonly csrf_token: string }
  keepCsrfToken(session.csrf_token)
  return session
}
