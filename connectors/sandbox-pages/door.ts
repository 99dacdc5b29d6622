/**
 * Who may see the pages of the sandbox CRMs: whoever types the sandbox token, or comes by a link that the console made with it,
 * which is good for a minute and once. Either gets a cookie that lives as long as the process. Forms count only from these
 * pages themselves.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const passMs = 60_000
const visitorsMax = 100
const cookieName = 'panji_sandbox'

/** Where the pages are, with a pass; for who holds the token, in whichever process. */
export const pagesUrl = (controlUrl: string, token: string): string =>
  `${new URL('/pages', controlUrl).href}?pass=${newPass(token, Date.now())}`

/** @param token the control token, which both sides hold. */
export function newPass(token: string, nowMs: number): string {
  const claim = `${nowMs + passMs}.${randomBytes(12).toString('base64url')}`
  return `${claim}.${sealOf(token, claim)}`
}

export class Door {
  readonly #token: string
  readonly #origins: readonly string[]
  readonly #visitors = new Set<string>()
  /** Passes that were used, with their ends. */
  readonly #used = new Map<string, number>()

  constructor(token: string, port: number) {
    this.#token = token
    this.#origins = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}`)
  }

  isIn({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim())
    return cookies.some(
      (cookie) => cookie.startsWith(`${cookieName}=`) && this.#visitors.has(cookie.slice(cookieName.length + 1)),
    )
  }

  /** A form that another page sends names that page's origin, or none. */
  isOwnForm({ headers }: IncomingMessage): boolean {
    return headers.origin !== undefined && this.#origins.includes(headers.origin)
  }

  /** @returns the cookie to set, or undefined where the token is another one. */
  enterByToken(token: string): string | undefined {
    return same(token, this.#token) ? this.#letIn() : undefined
  }

  /** @returns the cookie to set, or undefined where the pass is none, too old, or was used. */
  enterByPass(pass: string, nowMs: number): string | undefined {
    const [ends = '', nonce = '', seal = ''] = pass.split('.')
    const isOurs = same(seal, sealOf(this.#token, `${ends}.${nonce}`))
    for (const [used, until] of this.#used) if (until < nowMs) this.#used.delete(used)
    if (!isOurs || Number(ends) < nowMs || this.#used.has(nonce)) return undefined
    this.#used.set(nonce, Number(ends))
    return this.#letIn()
  }

  #letIn(): string {
    const visitor = randomBytes(24).toString('base64url')
    this.#visitors.add(visitor)
    const [oldest] = this.#visitors
    if (this.#visitors.size > visitorsMax && oldest !== undefined) this.#visitors.delete(oldest)
    return `${cookieName}=${visitor}; HttpOnly; SameSite=Lax; Path=/pages`
  }
}

const sealOf = (token: string, claim: string): string =>
  createHmac('sha256', token).update(`sandbox pages ${claim}`).digest('base64url')

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
