/** API errors as exceptions, for callers who prefer them to a member `error`. */
import type { components } from './api-types.ts'

export type ErrorBody = components['schemas']['Error']

export class PanjiApiError extends Error {
  readonly status: number
  /** Stable; docs/errors.md documents each code. */
  readonly code: string
  /** Include it when you report a problem. */
  readonly requestId: string
  /** The whole body; some errors add helpful members, such as `suggestion`. */
  readonly body: Partial<ErrorBody>
  /** Seconds after which to retry, if the response says so (429, 503). */
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
 * The body of a successful response.
 * @throws PanjiApiError for any other response.
 */
export function dataOf<T>(answer: Answer<T>): T {
  if (answer.data !== undefined) return answer.data
  const { status, headers } = answer.response
  throw new PanjiApiError(status, errorBodyOf(answer.error), headers.get('retry-after'))
}

/** A proxy between client and server may respond with something other than JSON. */
function errorBodyOf(error: unknown): Partial<ErrorBody> {
  return typeof error === 'object' && error !== null ? error : {}
}
