/**
 * How jsforce reaches the network here: each call asks the gate, stops with the session's signal, waits a bounded time,
 * follows no redirect and is never repeated behind our back. jsforce's own transport can do none of this: it knows no
 * signal, waits 30 minutes and repeats some methods five times.
 */
import { type Duplex, PassThrough } from 'node:stream'
import { Transport } from 'jsforce/lib/transport.js'
import { AppError } from '../../src/errors.ts'
import type { LimitReport, SessionOptions } from '../contract.ts'

type RequestStream = ReturnType<Transport['getRequestStreamCreator']>
type JsforceRequest = Parameters<RequestStream>[0]

interface Reply {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
}

const bodyBytesMax = 32 * 1024 * 1024
/** Faults of connecting: nothing was sent, so nothing can have been written. */
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

export class GatedTransport extends Transport {
  readonly #session: SessionOptions
  readonly #timeoutMs: number
  lastLimits: LimitReport = { dailyUsed: null, dailyLimit: null }

  constructor(session: SessionOptions, timeoutMs: number) {
    super()
    this.#session = session
    this.#timeoutMs = timeoutMs
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

  async #send(request: JsforceRequest): Promise<Reply> {
    const { gate, signal } = this.#session
    signal.throwIfAborted()
    await gate.take(1, signal)
    const reply = await this.#fetch(request)
    const usage = /api-usage=(\d+)\/(\d+)/.exec(reply.headers['sforce-limit-info'] ?? '')
    if (usage) {
      this.lastLimits = { dailyUsed: Number(usage[1]), dailyLimit: Number(usage[2]) }
      gate.observe(this.lastLimits)
    }
    refuseByStatus(reply)
    return reply
  }

  async #fetch(request: JsforceRequest): Promise<Reply> {
    const { signal } = this.#session
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers ?? {},
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]),
        ...(request.body === undefined || request.body === null ? {} : { body: String(request.body) }),
      })
      return {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readBounded(response),
      }
    } catch (error) {
      signal.throwIfAborted()
      const code = (error as { cause?: { code?: unknown } }).cause?.code
      throw new AppError('CRM_UNAVAILABLE', `No answer came from Salesforce: ${describeFault(error)}`, {
        retry: 'later',
        cause: error,
        extra: { mayHaveWritten: !(typeof code === 'string' && notSent.has(code)) },
      })
    }
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error(`the answer is larger than ${bodyBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Statuses whose meaning needs no body. A gateway's 5xx says nothing of what the server behind it did. */
function refuseByStatus({ statusCode }: Reply): void {
  if (statusCode >= 500) {
    throw new AppError('CRM_UNAVAILABLE', `Salesforce answered with status ${statusCode}`, {
      retry: 'later',
      extra: { mayHaveWritten: statusCode !== 503 },
    })
  }
  if (statusCode > 300 && statusCode < 400 && statusCode !== 304) {
    throw new AppError(
      'DESTINATION_INVALID',
      'Salesforce answered with a redirect; set loginUrl to the org’s My Domain',
    )
  }
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
