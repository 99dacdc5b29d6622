/**
 * Sign-in at a vendor's own page, shared by the connectors: which app requests consent, and how a code is exchanged
 * for a refresh token. The vendor's own message is never passed on, because it may quote what was sent.
 */
import { z } from 'zod'
import { AppError } from '../src/errors.ts'
import { askForToken } from './access-grant.ts'
import { parseJson } from './answers.ts'
import type { ConsentRequest, OAuthApp, SessionOptions, WebConnect } from './contract.ts'
import type { CrmHosts } from './crm-address.ts'
import { CrmNetwork } from './crm-network.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * The settings with the app that requests consent: the customer's own, otherwise the operator's. A sandbox is not a
 * vendor, so it never receives the operator's secret. @throws AppError CONNECT_UNAVAILABLE, DESTINATION_INVALID
 */
export function withApp({ settings, app }: ConsentRequest, crm: string): Members {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new AppError('DESTINATION_INVALID', `The ${crm} settings are wrong. settings: is not an object.`, {
      extra: { faults: ['settings: is no object'] },
    })
  const given = settings as Members
  if ('client_id' in given) return given
  if (app === null || 'sandbox_pass' in given) {
    throw new AppError(
      'CONNECT_UNAVAILABLE',
      `Panji has no app at ${crm} to sign in with. Give client_id and client_secret of an app of your own, paste credentials, or ask whoever runs this Panji to set one up.`,
    )
  }
  return { ...given, client_id: app.clientId, client_secret: app.clientSecret }
}

/** Placeholder for the refresh token while the other settings are checked. */
export const tokenToCome = 'to come'

/** Settings that every vendor's sign-in has under the same names. */
type WebSettings = Members & {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  readonly sandbox_pass?: string | undefined
  readonly timeout_ms: number
}

/** What differs between the vendors' sign-ins. */
export interface SignIn<Settings extends WebSettings> {
  readonly hosts: CrmHosts
  /** Form fields in addition to the app; none if the token reply itself says which account it belongs to. */
  readonly fields?: WebConnect['fields']
  /** Exactly what set-up, delivery and erasure need. */
  readonly scopes: readonly string[]
  /** Validated, with `tokenToCome` as the refresh token. @throws AppError DESTINATION_INVALID, CONNECT_UNAVAILABLE */
  settingsFor(request: ConsentRequest): Settings
  consentPage(settings: Settings): string
  /** Address at which a code is exchanged for a refresh token. */
  tokenUrl(settings: Settings): string
  /** Parameters of the consent page in addition to those of OAuth 2.0. */
  readonly more?: Readonly<Record<string, string>>
  readonly lasting: WebConnect['lasting']
}

/**
 * The sign-in that all vendors share: a code with PKCE (S256), exchanged for a refresh token that is added to the
 * checked settings.
 */
export const webConnectWith = <Settings extends WebSettings>(signIn: SignIn<Settings>): WebConnect => ({
  fields: signIn.fields ?? [],
  consentAddress(request, state, codeChallenge) {
    const settings = signIn.settingsFor(request)
    const url = new URL(signIn.consentPage(settings))
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: settings.client_id ?? '',
      redirect_uri: request.redirectUri,
      scope: signIn.scopes.join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...signIn.more,
    }).toString()
    return url.href
  },
  async redeem(request, code, codeVerifier, options) {
    const settings = signIn.settingsFor(request)
    const refreshToken = await exchangeCode(
      {
        crm: signIn.hosts.crm,
        network: new CrmNetwork(signIn.hosts, settings.sandbox_pass),
        tokenUrl: signIn.tokenUrl(settings),
        app: { clientId: settings.client_id ?? '', clientSecret: settings.client_secret ?? '' },
        redirectUri: request.redirectUri,
        code,
        codeVerifier,
        timeoutMs: settings.timeout_ms,
      },
      options,
    )
    return { ...settings, refresh_token: refreshToken }
  },
  lasting: signIn.lasting,
})

const Granted = z.looseObject({ refresh_token: z.string().min(1).max(4096) })
const Refused = z.looseObject({
  error: z.string().optional().catch(undefined),
  category: z.string().optional().catch(undefined),
})

interface CodeExchange {
  readonly crm: string
  readonly network: CrmNetwork
  readonly tokenUrl: string
  readonly app: OAuthApp
  readonly redirectUri: string
  readonly code: string
  readonly codeVerifier: string
  readonly timeoutMs: number
}

/** @returns the refresh token. */
async function exchangeCode(
  { crm, network, tokenUrl, app, redirectUri, code, codeVerifier, timeoutMs }: CodeExchange,
  { gate, signal }: Pick<SessionOptions, 'gate' | 'signal'>,
): Promise<string> {
  await gate.take(1, signal)
  const form = {
    ...{ grant_type: 'authorization_code', client_id: app.clientId, client_secret: app.clientSecret },
    ...{ redirect_uri: redirectUri, code, code_verifier: codeVerifier },
  }
  const { status, text } = await askForToken(network, tokenUrl, form, { signal, timeoutMs })
  const body = parseJson(text)
  const granted = Granted.safeParse(body)
  if (status < 300 && granted.success) return granted.data.refresh_token
  if (status === 429 || status >= 500) {
    throw new AppError('CRM_UNAVAILABLE', `${crm} refused the sign-in for now (${status}); begin again`, {
      retry: 'later',
    })
  }
  const refusal = Refused.safeParse(body).data
  const word = refusal?.error ?? refusal?.category ?? ''
  throw new AppError(
    'CRM_UNAUTHORIZED',
    status < 300 && word === ''
      ? `${crm} gave no refresh token; the app must be allowed to have one`
      : `${crm} refused the sign-in (${/^\w{1,40}$/.test(word) ? word : status}); begin again`,
  )
}

/** @returns the members except those named. */
export const without = (values: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
