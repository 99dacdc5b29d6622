/**
 * A vendor's consent page as the sandboxes show it. "Allow" redirects to the program's own address with a code, which
 * the token endpoint accepts once, for a limited time, and only with the verifier of its challenge (PKCE, S256).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { WireAnswer, WireCall } from './kit.ts'
import { html, type Markup } from './pages/markup.ts'

interface GivenCode {
  readonly redirectUri: string
  readonly challenge: string
  readonly untilMs: number
}

const codeMs = 10 * 60_000
const codesMax = 100
/** Vendors know an app's redirect addresses in advance; here, that of any Panji is accepted. */
const isProgramsOwn = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && address.endsWith('/crm/oauth/callback')

export class ConsentDesk {
  readonly #codes = new Map<string, GivenCode>()

  /** The page, and the result of its buttons. */
  answer(
    { method, path, text }: Pick<WireCall, 'method' | 'path' | 'text'>,
    crm: string,
    clientId: string,
  ): WireAnswer {
    const query = new URL(`http://sandbox${path}`).searchParams
    const parameters = new Map(method === 'POST' ? new URLSearchParams(text) : query)
    const redirectUri = parameters.get('redirect_uri') ?? ''
    const challenge = parameters.get('code_challenge') ?? ''
    const fault =
      parameters.get('client_id') !== clientId
        ? 'the client_id is unknown'
        : !isProgramsOwn(redirectUri)
          ? 'the redirect_uri is none of the app'
          : parameters.get('response_type') !== 'code'
            ? 'the response_type must be code'
            : parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)
              ? 'a code_challenge of S256 is needed'
              : null
    // A request that is not the app's is never redirected.
    if (fault !== null) return page(400, crm, html`<p role="alert">Refused: ${fault}.</p>`)
    if (method !== 'POST') return page(200, crm, formOf(parameters))
    const answer = new URL(redirectUri)
    answer.searchParams.set('state', parameters.get('state') ?? '')
    if (parameters.get('consent') === 'allow') answer.searchParams.set('code', this.#give(redirectUri, challenge))
    else answer.searchParams.set('error', 'access_denied')
    return { status: 302, headers: { location: answer.href, 'cache-control': 'no-store' } }
  }

  /** Consumes the code. @returns true if it was issued for this request. */
  redeem(form: ReadonlyMap<string, string>, nowMs = Date.now()): boolean {
    const code = form.get('code') ?? ''
    const given = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return given?.redirectUri === form.get('redirect_uri') && given?.challenge === challenge && nowMs < given.untilMs
  }

  #give(redirectUri: string, challenge: string): string {
    const code = `sandbox-code-${randomBytes(24).toString('base64url')}`
    this.#codes.set(code, { redirectUri, challenge, untilMs: Date.now() + codeMs })
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > codesMax && oldest !== undefined) this.#codes.delete(oldest)
    return code
  }
}

function formOf(parameters: ReadonlyMap<string, string>): Markup {
  const hidden = [...parameters].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<p>Panji asks to read and write records here.</p><form method="post">${hidden}
<button name="consent" value="allow">Allow</button> <button name="consent" value="deny">Deny</button></form>`
}

function page(status: number, crm: string, body: Markup): WireAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  const { text } = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox sign-in</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}</style>
<h1>${crm} sandbox</h1>${body}</html>`
  return { status, text, headers }
}
