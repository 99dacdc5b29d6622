/**
 * Network access of all connectors: only addresses of the CRM, no redirects, a maximum reply size, aborted by the
 * session's signal. An AppError says in `mayHaveWritten` whether the CRM may have carried out the call. Nothing is
 * retried here.
 */
import { randomBytes } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import { Agent, request } from 'undici'
import { isProof, proofPath } from '../sandboxes/pass.ts'
import { AppError } from '../src/errors.ts'
import { type CrmHosts, isReachable, loopbackLookup, publicLookup, refusedAddressCode } from './crm-address.ts'

export interface CrmCall {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signal: AbortSignal
  /** Longest wait for the whole reply. */
  readonly timeoutMs: number
  /** Largest reply; default 32 MiB. */
  readonly answerBytesMax?: number
}

export interface CrmReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const answerBytesMaxDefault = 32 * 1024 * 1024
const proofBytesMax = 1024
const connectMs = 10_000

const toVendors = new Agent({ connect: { lookup: publicLookup, timeout: connectMs }, allowH2: false })
const toSandboxes = new Agent({ connect: { lookup: loopbackLookup, timeout: connectMs }, allowH2: false })

/** Connection errors: nothing was sent, so nothing can have been written. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  refusedAddressCode,
])

/** Publishes each call and its reply for metrics and tracing: `{crm, method, host}`, then `result` or `error`. */
const announced = tracingChannel('panji:crm-call')

export class CrmNetwork {
  readonly #hosts: CrmHosts
  readonly #pass: string | undefined
  #proven: Promise<void> | undefined

  constructor(hosts: CrmHosts, sandboxPass: string | undefined) {
    this.#hosts = hosts
    this.#pass = sandboxPass
  }

  /** True for addresses that `send` accepts. */
  reaches(address: string): boolean {
    return URL.canParse(address) && isReachable(this.#hosts, new URL(address), this.#pass)
  }

  /** @throws AppError DESTINATION_INVALID for a foreign address or a redirect, CRM_UNAVAILABLE if no reply arrived. */
  async send(call: CrmCall): Promise<CrmReply> {
    const { crm } = this.#hosts
    if (!this.reaches(call.url)) {
      throw new AppError(
        'DESTINATION_INVALID',
        `The call was addressed to ${hostOf(call.url)}, which is not a host of ${crm}`,
      )
    }
    if (this.#pass !== undefined) await this.#prove(this.#pass, call)
    const reply = await this.#exchange(call)
    if (reply.status > 300 && reply.status < 400 && reply.status !== 304) {
      throw new AppError(
        'DESTINATION_INVALID',
        `${crm} answered with a redirect (${reply.status}), which is not followed; set the address to the account's own host`,
      )
    }
    return reply
  }

  /** Checked once per session; after a failure the next call checks again. */
  #prove(pass: string, call: CrmCall): Promise<void> {
    this.#proven ??= this.#askForProof(pass, call).catch((error: unknown) => {
      this.#proven = undefined
      throw error
    })
    return this.#proven
  }

  async #askForProof(pass: string, { url, signal, timeoutMs }: CrmCall): Promise<void> {
    const nonce = randomBytes(16).toString('base64url')
    const proofUrl = `${new URL(url).origin}${proofPath}?nonce=${nonce}`
    const question = { method: 'GET', url: proofUrl, signal, timeoutMs, answerBytesMax: proofBytesMax }
    const { text } = await this.#exchange(question).catch((error: unknown) => {
      throw error instanceof AppError
        ? new AppError(error.code, error.message, { retry: 'later', cause: error })
        : error
    })
    if (!isProof(pass, nonce, text)) {
      throw new AppError('DESTINATION_INVALID', 'No sandbox that issued these settings runs at their address')
    }
  }

  #exchange(call: CrmCall): Promise<CrmReply> {
    const { method, url } = call
    return announced.tracePromise(() => this.#ask(call), { crm: this.#hosts.crm, method, host: hostOf(url) })
  }

  async #ask(call: CrmCall): Promise<CrmReply> {
    const limit = AbortSignal.any([call.signal, AbortSignal.timeout(call.timeoutMs)])
    try {
      const response = await request(call.url, {
        dispatcher: this.#pass === undefined ? toVendors : toSandboxes,
        method: call.method,
        headers: { ...call.headers },
        body: call.body ?? null,
        signal: limit,
        // The signal is the only timeout.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const headers = Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      )
      const text = await readBounded(response.body, call.answerBytesMax ?? answerBytesMaxDefault)
      return { status: response.statusCode, headers: Object.fromEntries(headers), text }
    } catch (cause) {
      throw this.#failure(cause, call, limit)
    }
  }

  #failure(cause: unknown, { signal }: CrmCall, limit: AbortSignal): AppError {
    const { crm } = this.#hosts
    const code = codeOf(cause)
    const sent = !notSent.has(code)
    const message = !sent
      ? `${crm} cannot be reached (${code})`
      : signal.aborted
        ? `The call to ${crm} was stopped`
        : limit.aborted
          ? `No answer came from ${crm} in time`
          : `The connection to ${crm} broke (${code === '' && cause instanceof Error ? cause.message : code})`
    return new AppError('CRM_UNAVAILABLE', message, { retry: 'later', cause, extra: { mayHaveWritten: sent } })
  }
}

/** True for a failure after which it is unknown whether the call was carried out. */
export function mayHaveWritten(error: unknown): boolean {
  return error instanceof AppError && error.extra['mayHaveWritten'] === true
}

async function readBounded(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop destroys the body and its connection.
    if (bytes > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The code of an error or of its cause. */
function codeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : ''
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'no address'
}
