/**
 * Signing in to and out of the app or the console. The session cookie is not readable by scripts. The response holds
 * the account or operator, its rights, and the token for further calls.
 */

import { PanjiApiError } from '../../../client/api-error.ts'
import type { components } from '../../../client/api-types.ts'
import { csrfToken, keepCsrfToken, renewSession } from './csrf.ts'

export type OperatorSession = Pick<components['schemas']['ConsoleSession'], 'name' | 'role' | 'is_sample_world'>

export type AccountSession = Omit<components['schemas']['AppSession'], 'csrf_token' | 'expires_at'>

export type Session = OperatorSession | AccountSession

/** Equal for two sessions of the same person, and for no others. */
export const whoseIs = (session: Session): string =>
  'user_id' in session ? [session.user_id, session.person?.person_id, session.viewed_by].join(' ') : session.name

export type BasePath = '/console' | '/app'
type Credentials =
  | { readonly token: string; readonly totp?: string }
  | { readonly code: string; readonly totp?: string }
  | { readonly api_key: string }

/**
 * Whether somebody has signed in is noted in this browser, because scripts cannot see the cookie: before the first
 * sign-in no session is requested.
 * @returns null where nobody is signed in.
 */
export async function readSession<Kind extends Session>(base: BasePath): Promise<Kind | null> {
  if (localStorage.getItem(signedIn(base)) === null) return null
  const response = await fetch(`${base}/session`)
  return response.status === 401 ? forget(base) : keep<Kind>(response)
}

/**
 * Another tab of this browser has signed in again, so this page has an old token.
 * @returns the session if it belongs to the person of `known`, who continues here, too.
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

/** @throws PanjiApiError with the server's message if the credentials are refused. */
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

export type SignInWays = components['schemas']['SignInWays']

/** Ways to sign in that are not set up are not offered. */
export async function readSignInWays(): Promise<SignInWays> {
  const response = await fetch('/app/sign-in')
  const body: unknown = await response.json()
  if (!response.ok) throw new PanjiApiError(response.status, body as Partial<PanjiApiError['body']>)
  return body as SignInWays
}

/** Requests a link by e-mail. @returns the server's message, which is the same whether or not the account exists. */
export async function mailSignInLink(email: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch('/app/session/link', { method: 'POST', headers, body: JSON.stringify({ email }) })
  const body = (await response.json()) as { readonly detail: string } & Partial<PanjiApiError['body']>
  if (!response.ok) throw new PanjiApiError(response.status, body)
  return body.detail
}

/** A session that another page has opened in this browser. */
export const noteSignedIn = (base: BasePath): void => localStorage.setItem(signedIn(base), 'yes')

/** The page's state is cleared in any case; if the server cannot be reached, the session expires on its own. */
export async function signOut(base: BasePath): Promise<void> {
  const headers = { 'X-CSRF-Token': csrfToken() }
  keepCsrfToken('')
  forget(base)
  sessionStorage.clear()
  await fetch(`${base}/session`, { method: 'DELETE', headers }).catch(() => undefined)
}

/** A one-time sign-in code. */
export interface SignInCode {
  readonly code: string
  /** The account it opens, where there are several to choose from. */
  readonly account: string | undefined
}

/** The one-time codes of a link. They are removed from the address before one is used. */
export function takeCodesFromAddress(): readonly SignInCode[] {
  const accounts = said().getAll('account')
  return takeFromAddress('code').map((code, place) => ({ code, account: accounts[place] }))
}
/** A code for why a sign-in at the provider failed. */
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
