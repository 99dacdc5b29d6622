/**
 * Who may see the pages of the sandbox CRMs: whoever types the sandbox token, or comes by a link that the console made with it,
 * which is good for a minute and once. Either gets a cookie that lives as long as the process. A link may be to one record's
 * page, as an account's people get it: its bearer reads that page, and no other. Forms count only from these pages themselves.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const passMs = 60_000
const visitorsMax = 100
/** Of one visitor who may not see all. */
const pagesMax = 100
const cookieName = 'panji_sandbox'

/** What a pass lets its bearer see: the page to begin at, such as `/pages/zoho/records/1`, and whether all the others, too. */
interface Sight {
  readonly page: string
  readonly all: boolean
}
const everything: Sight = { page: '/pages', all: true }

/** Where the pages are, with a pass; for who holds the token, in whichever process. */
export const pagesUrl = (controlUrl: string, token: string, sight = everything): string =>
  `${new URL(sight.page, controlUrl).href}?pass=${newPass(token, Date.now(), sight)}`

/** @returns undefined where the address is not that of a record's page here. */
export function recordUrl(controlUrl: string, token: string, address: string, all: boolean): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname: page } = new URL(address)
  const isOurs = origin === new URL(controlUrl).origin && /^\/pages\/[a-z-]+\/records\/[^/]+$/.test(page)
  return isOurs ? pagesUrl(controlUrl, token, { page, all }) : undefined
}

/** @param token the control token, which both sides hold. */
export function newPass(token: string, nowMs: number, { page, all } = everything): string {
  const claim = `${nowMs + passMs}.${randomBytes(12).toString('base64url')}.${all ? 'all' : 'one'}`
  return `${claim}.${sealOf(token, `${claim} ${page}`)}`
}

export class Authenticator {
  readonly #token: string
  readonly #origins: readonly string[]
  /** By their cookie; with the only pages that each may see, or `all`. */
  readonly #visitors = new Map<string, 'all' | Set<string>>()
  /** Passes that were used, with their ends. */
  readonly #used = new Map<string, number>()

  constructor(token: string, port: number) {
    this.#token = token
    this.#origins = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}`)
  }

  /** Whether the browser may see all pages, and act on them. */
  isIn(request: IncomingMessage): boolean {
    return this.#sightOf(request)?.pages === 'all'
  }

  maySee(request: IncomingMessage, page: string): boolean {
    const pages = this.#sightOf(request)?.pages
    return pages === 'all' || pages?.has(page) === true
  }

  /** A form that another page sends names that page's origin, or none. */
  isOwnForm({ headers }: IncomingMessage): boolean {
    return headers.origin !== undefined && this.#origins.includes(headers.origin)
  }

  /** @returns the cookie to set, or undefined where the token is another one. */
  enterByToken(token: string): string | undefined {
    return same(token, this.#token) ? this.#letIn('all') : undefined
  }

  /**
   * Who is in already sees more from then on, never less.
   * @param page that the pass was brought to. @returns the cookie to set, or undefined where the pass is none, of another page,
   * too old, or was used.
   */
  enterByPass(request: IncomingMessage, pass: string, page: string, nowMs: number): string | undefined {
    const [ends = '', nonce = '', breadth = '', seal = ''] = pass.split('.')
    const isOurs = same(seal, sealOf(this.#token, `${ends}.${nonce}.${breadth} ${page}`))
    for (const [used, until] of this.#used) if (until < nowMs) this.#used.delete(used)
    if (!isOurs || Number(ends) < nowMs || this.#used.has(nonce)) return undefined
    this.#used.set(nonce, Number(ends))
    const before = this.#sightOf(request)
    if (breadth === 'all' || before === undefined) return this.#letIn(breadth === 'all' ? 'all' : new Set([page]))
    if (before.pages !== 'all') this.#addPage(before.pages, page)
    return cookieFor(before.visitor)
  }

  #sightOf({ headers }: IncomingMessage) {
    for (const cookie of (headers.cookie ?? '').split(';')) {
      const [name, visitor = ''] = cookie.trim().split('=')
      const pages = name === cookieName ? this.#visitors.get(visitor) : undefined
      if (pages) return { visitor, pages }
    }
    return undefined
  }

  #addPage(pages: Set<string>, page: string): void {
    pages.add(page)
    const [oldest] = pages
    if (pages.size > pagesMax && oldest !== undefined) pages.delete(oldest)
  }

  #letIn(pages: 'all' | Set<string>): string {
    const visitor = randomBytes(24).toString('base64url')
    this.#visitors.set(visitor, pages)
    const [oldest] = this.#visitors.keys()
    if (this.#visitors.size > visitorsMax && oldest !== undefined) this.#visitors.delete(oldest)
    return cookieFor(visitor)
  }
}

const cookieFor = (visitor: string) => `${cookieName}=${visitor}; HttpOnly; SameSite=Lax; Path=/pages`

const sealOf = (token: string, claim: string): string =>
  createHmac('sha256', token).update(`sandbox pages ${claim}`).digest('base64url')

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
