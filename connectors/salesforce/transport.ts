/**
 * Network access for jsforce: each call waits for the gate and is sent through `CrmNetwork`, which limits where it
 * may go, aborts with the session's signal and follows no redirect. jsforce's own transport has no signal, waits 30
 * minutes and repeats some methods five times.
 */
import { type Duplex, PassThrough } from 'node:stream'
import { Transport } from '@jsforce/jsforce-node/lib/transport.js'
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import type { LimitReport } from '../call-gate.ts'
import type { SessionOptions } from '../contract.ts'
import type { CrmNetwork } from '../crm-network.ts'

type RequestStream = ReturnType<Transport['getRequestStreamCreator']>
type JsforceRequest = Parameters<RequestStream>[0]

export interface RawCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawReply {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Reply {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class GatedTransport extends Transport {
  readonly #session: SessionOptions
  readonly #network: CrmNetwork
  readonly #timeoutMs: number
  lastLimits: LimitReport = { dailyUsed: null, dailyLimit: null }

  constructor(session: SessionOptions, network: CrmNetwork, timeoutMs: number) {
    super()
    this.#session = session
    this.#network = network
    this.#timeoutMs = timeoutMs
  }

  /** For calls that have already passed the gate. */
  ungated(): GatedTransport {
    const gate = { ...this.#session.gate, take: async () => {}, observe: () => {} }
    return new GatedTransport({ ...this.#session, gate }, this.#network, this.#timeoutMs)
  }

  override getRequestStreamCreator(): (request: JsforceRequest) => Duplex {
    return (request) => {
      const stream = new PassThrough()
      this.#send(request).then(
        (reply) => stream.emit('complete', reply),
        (error: unknown) => stream.emit('error', error),
      )
      return stream
    }
  }

  /** A raw call, whose reply jsforce would parse. @throws what jsforce throws for a refusal. */
  async exchange(call: RawCall): Promise<RawReply> {
    const { statusCode, headers, body } = await this.#send(call)
    if (statusCode < 400) return { headers, text: body }
    throw refusalIn(statusCode, body)
  }

  async #send({
    url,
    method,
    headers,
    body,
  }: Pick<JsforceRequest, 'url' | 'method' | 'headers' | 'body'>): Promise<Reply> {
    const { gate, signal } = this.#session
    signal.throwIfAborted()
    await gate.take(1, signal)
    const hasBody = body !== undefined && body !== null
    const { status, ...reply } = await this.#network
      .send({
        url,
        method,
        headers: headers ?? {},
        signal,
        timeoutMs: this.#timeoutMs,
        ...(hasBody ? { body: Buffer.isBuffer(body) ? body : String(body) } : {}),
      })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
    // A quota with more digits than this is not credible.
    const usage = /api-usage=(\d{1,12})\/(\d{1,12})(?!\d)/.exec(reply.headers['sforce-limit-info'] ?? '')
    if (usage) {
      this.lastLimits = { dailyUsed: Number(usage[1]), dailyLimit: Number(usage[2]) }
      gate.observe(this.lastLimits)
    }
    // Not the API's own limit but a gateway's: no row was processed.
    if (status === 429) {
      throw new AppError('CRM_UNAVAILABLE', 'Salesforce answered with status 429', { retry: 'later' })
    }
    // A gateway's 5xx says nothing about what the server behind it did.
    if (status >= 500) {
      throw new AppError('CRM_UNAVAILABLE', `Salesforce answered with status ${status}`, {
        retry: 'later',
        extra: { mayHaveWritten: status !== 503 },
      })
    }
    return { statusCode: status, headers: reply.headers, body: reply.text }
  }
}

function refusalIn(status: number, body: string): Error {
  const refusal = new Error(`Salesforce answered with status ${status}`)
  const first: unknown = parseJson(body)
  const { errorCode, message } = (Array.isArray(first) ? first[0] : first) ?? ({} as Record<string, unknown>)
  return Object.assign(refusal, {
    errorCode: typeof errorCode === 'string' ? errorCode : `ERROR_HTTP_${status}`,
    ...(typeof message === 'string' ? { message } : {}),
  })
}
