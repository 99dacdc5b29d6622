/** Zoho's replies: the result of one row, and the refusal of a whole call, in the same format. */
import type { WireAnswer } from '../kit.ts'

export interface Reply {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly message: string
  readonly status: 'success' | 'error'
}

export const refused = (code: string, message: string, details: Reply['details'] = {}): Reply => ({
  code,
  details,
  message,
  status: 'error',
})

export const failure = (status: number, code: string, message: string, details: Reply['details'] = {}): WireAnswer => ({
  status,
  body: refused(code, message, details),
})

export const invalidToken = failure(401, 'INVALID_TOKEN', 'invalid oauth token')
export const scopeMismatch = failure(401, 'OAUTH_SCOPE_MISMATCH', 'invalid oauth scope to access this URL')

/** Too many concurrent calls, or no credits left: both have the same status and code. */
export const tooMany = (creditsLeft?: 0): WireAnswer => ({
  ...failure(429, 'TOO_MANY_REQUESTS', 'You have made too many requests. Please try again after some time.'),
  ...(creditsLeft === undefined ? {} : { headers: { 'X-API-CREDITS-REMAINING': '0' } }),
})

/** `good` if every row succeeded, 400 if none did, 207 otherwise. */
export function rowsAnswer(name: 'data' | 'fields', replies: readonly Reply[], good: number): WireAnswer {
  const failed = replies.filter(({ status }) => status === 'error').length
  const status = failed === 0 ? good : failed === replies.length ? 400 : 207
  return { status, body: { [name]: replies } }
}

/** For endpoints that real orgs have and the sandbox lacks, with the status of an unknown address. */
export const notInSandbox = (act: string): WireAnswer =>
  failure(404, 'INVALID_URL_PATTERN', `not in this sandbox: ${act}`)
