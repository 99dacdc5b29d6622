/**
 * The pages of the sandbox CRMs under /pages: records as a CRM would show them, received calls, and faults to switch
 * on. For people in a browser; programs use /control. Without access, a form asks for the token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox } from '../contract.ts'
import { formOf, readBody } from '../kit.ts'
import { Authenticator } from './authenticator.ts'
import { callList } from './calls.ts'
import { faultPage, switchFault } from './faults.ts'
import { html } from './markup.ts'
import { readRecord, recordList, recordPage, titleOf } from './records.ts'
import { nameOf, page, startPage, styleSheet, tokenPage, watchLink } from './shell.ts'

const bodyBytesMax = 16 * 1024

interface PageAnswer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

type Form = ReadonlyMap<string, string>

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Forms only send their origin if the policy allows it.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

export class SandboxPages {
  readonly #byName: ReadonlyMap<string, Sandbox>
  readonly #crms: readonly string[]
  readonly #authenticator: Authenticator

  /** @param token the control token of the server that listens on `port`. */
  constructor(byName: ReadonlyMap<string, Sandbox>, token: string, port: number) {
    this.#byName = byName
    this.#crms = [...byName.keys()]
    this.#authenticator = new Authenticator(token, port)
  }

  async handle(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await this.#answer(request, url)
    response.writeHead(status, { ...pageHeaders, ...headers })
    response.end(body)
  }

  async #answer(request: IncomingMessage, url: URL): Promise<PageAnswer> {
    if (url.pathname === '/pages/style.css')
      return { status: 200, body: styleSheet, headers: { 'content-type': 'text/css; charset=utf-8' } }
    if (request.method === 'GET') return this.#read(request, url)
    if (request.method !== 'POST') return refused(405, 'These pages are read, or sent a form.')
    if (!this.#authenticator.isOwnForm(request)) return refused(403, 'This form came from another page.')
    const text = await readBody(request, bodyBytesMax)
    if (text === null) return refused(413, 'That is too much for a form.')
    const form = formOf(text)
    if (url.pathname === '/pages/enter') {
      const cookie = this.#authenticator.enterByToken(form.get('token') ?? '')
      return cookie === undefined ? signInPage(403, 'That is not the token.') : entered(cookie)
    }
    return this.#authenticator.isIn(request) ? this.#act(url, form) : signInPage(403)
  }

  #read(request: IncomingMessage, url: URL): PageAnswer {
    const pass = url.searchParams.get('pass')
    if (pass !== null) {
      const cookie = this.#authenticator.enterByPass(request, pass, url.pathname, Date.now())
      if (cookie !== undefined) return entered(cookie, url.pathname)
      return signInPage(403, 'This link no longer works. Take a new one from the console, or type the token.')
    }
    if (!this.#authenticator.maySee(request, url.pathname)) return signInPage(200)
    if (['/pages', '/pages/'].includes(url.pathname)) return shown(startPage([...this.#byName.values()]))
    const { sandbox, place, id } = this.#placeOf(url)
    if (sandbox && id !== undefined && !this.#authenticator.isIn(request)) return oneRecord(sandbox, id)
    return (sandbox && this.#pageOf(sandbox, place, id, url)) ?? refused(404, 'There is no such page.')
  }

  #pageOf(sandbox: Sandbox, place: string, id: string | undefined, url: URL): PageAnswer | undefined {
    const { crm } = sandbox
    const frame = { crm, crms: this.#crms, title: nameOf(crm) }
    const watching = url.searchParams.get('watch') === 'on'
    const watch = watchLink(url.pathname, watching)
    switch (place) {
      case 'faults':
        return shown(page({ ...frame, place, content: faultPage(sandbox) }))
      case 'calls':
        return shown(page({ ...frame, place, watching, content: html`${watch}${callList(sandbox)}` }))
      case 'records': {
        if (id === undefined)
          return shown(page({ ...frame, place, watching, content: html`${watch}${recordList(sandbox)}` }))
        const record = sandbox.records().find((each) => each.id === id)
        return record && shown(page({ ...frame, place, title: titleOf(record), content: recordPage(sandbox, record) }))
      }
      default:
        return undefined
    }
  }

  #act(url: URL, form: Form): PageAnswer {
    const { sandbox, place, id } = this.#placeOf(url)
    if (sandbox && place === 'faults') {
      return switchFault(sandbox, form) ? seeOther(url.pathname) : refused(400, 'That fault cannot be switched on.')
    }
    const field = form.get('field')
    if (!sandbox || place !== 'records' || field === undefined) return refused(404, 'There is nothing to send here.')
    const record = sandbox.records().find((each) => each.id === id)
    if (!record || !Object.hasOwn(record.properties, field)) return refused(404, 'There is no such field.')
    sandbox.edit(record.id, { [field]: form.get('value') ?? '' })
    return seeOther(url.pathname)
  }

  #placeOf({ pathname }: URL) {
    const [, , crm = '', place = 'records', id] = pathname.split('/')
    return { sandbox: this.#byName.get(crm), place, id: id === undefined ? undefined : decoded(id) }
  }
}

const shown = (body: string): PageAnswer => ({ status: 200, body })
const seeOther = (location: string): PageAnswer => ({ status: 303, body: '', headers: { location } })
const entered = (cookie: string, location = '/pages'): PageAnswer => ({
  status: 303,
  body: '',
  headers: { location, 'set-cookie': cookie },
})

/** For a visitor with access to this record only: no links to other pages, and no forms. */
function oneRecord(sandbox: Sandbox, id: string): PageAnswer {
  const record = sandbox.records().find((each) => each.id === id)
  if (!record) return refused(404, 'The record is gone.')
  return shown(page({ crms: [], title: titleOf(record), content: readRecord(sandbox, record) }))
}
const signInPage = (status: number, refusal?: string): PageAnswer => ({ status, body: tokenPage(refusal) })
const refused = (status: number, words: string): PageAnswer => ({
  status,
  body: page({ title: words, crms: [], content: html`<p><a href="/pages">To the first page</a></p>` }),
})

/** @returns undefined for an invalid encoding. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
