/**
 * Access to the pages of the sandbox CRMs: with the sandbox token, or with a link that the console made with it,
 * valid once and for a minute. Either sets a cookie for the lifetime of the process. A link for an account's users
 * leads to one record's page, and opens no other. Forms are only accepted from these pages themselves.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const passMs = 60_000
const visitorsMax = 100
/** Per visitor without access to all pages. */
const pagesMax = 100
const cookieName = 'panji_sandbox'

/** What a pass gives access to: its start page, such as `/pages/zoho/records/1`, and whether all others too. */
interface Sight {
  readonly page: string
  readonly all: boolean
}
const everything: Sight = { page: '/pages', all: true }

/** The address of the pages with a pass; any process that has the token can create it. */
export const pagesUrl = (controlUrl: string, token: string, sight = everything): string =>
  `${new URL(sight.page, controlUrl).href}?pass=${newPass(token, Date.now(), sight)}`

/** @returns undefined if the address is not that of a record's page here. */
export function recordUrl(controlUrl: string, token: string, address: string, all: boolean): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname: page } = new URL(address)
  const isOurs = origin === new URL(controlUrl).origin && /^\/pages\/[a-z-]+\/records\/[^/]+$/.test(page)
  return isOurs ? pagesUrl(controlUrl, token, { page, all }) : undefined
}

/** @param token the control token, known to both sides. */
export function newPass(token: string, nowMs: number, { page, all } = everything): string {
  const claim = `${nowMs + passMs}.${randomBytes(12).toString('base64url')}.${all ? 'all' : 'one'}`
  return `${claim}.${sealOf(token, `${claim} ${page}`)}`
}

export class Authenticator {
  readonly #token: string
  readonly #origins: readonly string[]
  /** By cookie: the pages that a visitor may see, or `all`. */
  readonly #visitors = new Map<string, 'all' | Set<string>>()
  /** Used passes, with their expiry. */
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

  /** A form from another page has that page's origin, or none. */
  isOwnForm({ headers }: IncomingMessage): boolean {
    return headers.origin !== undefined && this.#origins.includes(headers.origin)
  }

  /** @returns the cookie to set, or undefined for a wrong token. */
  enterByToken(token: string): string | undefined {
    return same(token, this.#token) ? this.#letIn('all') : undefined
  }

  /**
   * Adds access to that of the current visitor.
   * @param page the requested page. @returns the cookie to set, or undefined if the pass is invalid, for another
   * page, expired or used.
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
