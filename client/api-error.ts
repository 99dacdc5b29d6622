/** A refusal or fault of the API as an exception, for callers who prefer one to a member `error`. */
import type { components } from './api-types.ts'

export type ErrorBody = components['schemas']['Error']

export class PanjiApiError extends Error {
  readonly status: number
  /** Stable: docs/errors.md holds meaning and remedy of each. */
  readonly code: string
  /** To be named when a fault is reported. */
  readonly requestId: string
  /** The whole body; some errors add members that help, such as `suggestion`. */
  readonly body: Partial<ErrorBody>
  /** Seconds after which another try may help, where the answer says so (429, 503). */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<ErrorBody>, retryAfter: string | null = null) {
    super(body.detail ?? `The API answered ${status}.`)
    this.name = 'PanjiApiError'
    this.status = status
    this.code = body.error_code ?? 'UNKNOWN'
    this.requestId = body.request_id ?? ''
    this.body = body
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  }
}

/** What a call of the client resolves to. */
export interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/**
 * The body of an answer.
 * @throws PanjiApiError for any other answer than a success.
 */
export function dataOf<T>(answer: Answer<T>): T {
  if (answer.data !== undefined) return answer.data
  const { status, headers } = answer.response
  throw new PanjiApiError(status, errorBodyOf(answer.error), headers.get('retry-after'))
}

/** A proxy between client and server may answer with something else than JSON. */
function errorBodyOf(error: unknown): Partial<ErrorBody> {
  return typeof error === 'object' && error !== null ? error : {}
}
