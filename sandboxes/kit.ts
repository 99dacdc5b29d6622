/**
 * What all sandboxes share: reads a body up to a limit, applies scripted faults, records the calls for tests, and
 * writes the reply. The vendor's own behaviour is in `answer`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { PendingFault, SandboxCall, SandboxFault } from './contract.ts'

export interface WireCall {
  readonly method: string
  /** Path and query, relative to the sandbox's base. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface WireAnswer {
  readonly status: number
  /** undefined for a reply without a body. */
  readonly body?: unknown
  /** Instead of `body`, for content other than JSON. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallDeskOptions {
  readonly bodyBytesMax: number
  /** The reply to a call; also words the faults that only the vendor knows how to word: limits, expired tokens. */
  answer(call: WireCall, fault: SandboxFault | undefined): WireAnswer | Promise<WireAnswer>
  /** Headers of every reply. */
  headers(call: WireCall): Readonly<Record<string, string>>
  /** A body as the list of calls shows it, for bodies that contain credentials. */
  shown?(text: string): string
  /** What a call does, in addition to method and path, if one address serves several purposes. */
  does?(call: WireCall): string
  /** Limits the calls that a fault may affect. */
  mayStrike?(fault: SandboxFault, act: string): boolean
}

const callsKeptMax = 10_000
/** For a body that is not JSON, such as a file. */
const textKeptMax = 64 * 1024
/** A browser that opens a record's page also sends its cookies, including the console's. */
const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie'])
/** This much of a body that is too large is read and dropped, so that well-behaved clients receive the reply. */
const dropBytesMax = 4 * 1024 * 1024
const delayMs = 200
const strikesUnread: ReadonlySet<SandboxFault['kind']> = new Set(['timeout', 'reset'])
const strikesAfter: ReadonlySet<SandboxFault['kind']> = new Set(['timeout_after_commit', 'reset_after_commit'])
type Rows = readonly unknown[]
const rowChanges: Readonly<Partial<Record<SandboxFault['kind'], (rows: Rows) => Rows>>> = {
  omit_rows: (rows) => rows.slice(0, -1),
  omit_first_row: (rows) => rows.slice(1),
  // No row keeps its position.
  shuffle_rows: (rows) => [...rows.slice(1), ...rows.slice(0, 1)],
}

/** Faults that only make sense for a write: without `match` they wait for one. */
export const strikesWrites = (kind: SandboxFault['kind']): boolean => strikesAfter.has(kind) || kind in rowChanges

export class CallDesk {
  readonly #options: CallDeskOptions
  readonly #hanging = new Set<ServerResponse>()
  #faults: { readonly fault: SandboxFault; left: number }[] = []
  #calls: SandboxCall[] = []

  constructor(options: CallDeskOptions) {
    this.#options = options
  }

  calls(): readonly SandboxCall[] {
    return this.#calls
  }

  addFault(fault: SandboxFault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 })
  }

  faults(): readonly PendingFault[] {
    return this.#faults
  }

  /** Also ends calls that a timeout fault keeps open. */
  endFaults(): void {
    this.#faults = []
    for (const response of this.#hanging) response.destroy()
  }

  reset(): void {
    this.#calls = []
    this.endFaults()
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request, this.#options.bodyBytesMax)
    const call = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
      text: text ?? '',
    }
    if (text === null) {
      this.#keep(call, 413)
      return writeAnswer(response, tooLarge(this.#options.bodyBytesMax))
    }
    const fault = this.#take(`${call.method} ${call.path} ${this.#options.does?.(call) ?? ''}`.trimEnd())
    if (fault?.kind === 'delay') await delay(fault.ms ?? delayMs)
    if (fault?.kind === 'duplicate') this.#keep(call, (await this.#answer(call, undefined)).status)
    const unread = fault !== undefined && strikesUnread.has(fault.kind)
    const answer = unread ? { status: 0 } : await this.#answer(call, fault)
    const lost = unread || (fault !== undefined && strikesAfter.has(fault.kind))
    this.#keep(call, lost ? 0 : answer.status)
    if (fault?.kind.startsWith('reset')) return void request.socket.resetAndDestroy()
    if (lost) return this.#hang(response)
    writeAnswer(response, {
      ...answer,
      headers: { ...this.#options.headers(call), ...answer.headers, ...fault?.headers },
    })
  }

  async #answer(call: WireCall, fault: SandboxFault | undefined): Promise<WireAnswer> {
    if (fault?.kind === 'status') return { status: fault.status ?? 500, body: fault.body ?? {} }
    const answer = await this.#options.answer(call, fault)
    const change = fault && rowChanges[fault.kind]
    return change ? withRows(answer, change) : answer
  }

  /** @returns the first matching fault, and counts it down. */
  #take(act: string): SandboxFault | undefined {
    const hit = this.#faults.find(
      ({ fault }) =>
        (fault.match ?? '').split('|').some((part) => act.includes(part)) &&
        (this.#options.mayStrike?.(fault, act) ?? true),
    )
    if (hit === undefined) return undefined
    hit.left -= 1
    if (hit.left <= 0) this.#faults = this.#faults.filter((each) => each !== hit)
    return hit.fault
  }

  /** A timeout keeps the caller waiting until it gives up. */
  #hang(response: ServerResponse): void {
    this.#hanging.add(response)
    response.once('close', () => this.#hanging.delete(response))
  }

  /** Leaves out credentials, since the list is shown. */
  #keep({ method, path, headers, text }: WireCall, status: number): void {
    const shown = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || credentialHeaders.has(name) ? [] : [[name, String(value)] as const],
    )
    const isSignIn = (path.split('?')[0] ?? '').endsWith('/token')
    const body = isSignIn
      ? { grant_type: formOf(text).get('grant_type') }
      : (parseJson(text) ?? (this.#options.shown?.(text) ?? text).slice(0, textKeptMax))
    this.#calls.push({ method, path, status, at: new Date().toISOString(), headers: Object.fromEntries(shown), body })
    if (this.#calls.length > callsKeptMax) this.#calls = this.#calls.slice(-callsKeptMax / 2)
  }
}

/** @returns null if the body is larger than the limit. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
    if (bytes > bytesMax + dropBytesMax) break
  }
  return bytes > bytesMax ? null : Buffer.concat(chunks).toString('utf8')
}

export function tooLarge(bytesMax: number): WireAnswer {
  return { status: 413, body: { error: `the body is larger than ${bytesMax} bytes` }, headers: { connection: 'close' } }
}

export function writeAnswer(response: ServerResponse, { status, body, text, headers }: WireAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers })
  response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)))
}

/** @returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const multipartField = /\r\nContent-Disposition: *form-data; *name="([^"\r\n]+)"\r\n\r\n([^\r]*)\r\n--/gi

/** A form, URL-encoded or multipart, or flat JSON, as token endpoints accept them. */
export function formOf(text: string): ReadonlyMap<string, string> {
  if (text.startsWith('--'))
    return new Map([...text.matchAll(multipartField)].map(([, name = '', value = '']) => [name, value]))
  const json = parseJson(text)
  const isObject = typeof json === 'object' && json !== null
  const entries = isObject ? Object.entries(json) : [...new URLSearchParams(text)]
  return new Map(entries.map(([name, value]) => [name, String(value)]))
}

/** The rows were written, but the reply says otherwise. */
function withRows(answer: WireAnswer, change: (rows: Rows) => Rows): WireAnswer {
  const { body, text } = answer
  if (text !== undefined) {
    // A file of quoted cells after its header.
    const [head = '', ...lines] = text.split(/(?<=\n)(?=")/)
    return { ...answer, text: [head, ...change(lines)].join('') }
  }
  if (Array.isArray(body)) return { ...answer, body: change(body) }
  if (typeof body !== 'object' || body === null) return answer
  const [name, rows] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? []
  return name === undefined ? answer : { ...answer, body: { ...body, [name]: change(rows) } }
}
