/** The vendor's shape of an error. */
import type { WireAnswer } from '../kit.ts'

/** Salesforce answers failures with an array. */
export function failure(status: number, errorCode: string, message: string, fields?: readonly string[]): WireAnswer {
  return { status, body: [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }] }
}

export const sessionExpired = failure(401, 'INVALID_SESSION_ID', 'Session expired or invalid')

export function limitExceeded(what: 'TotalRequests' | 'ConcurrentRequests'): WireAnswer {
  return failure(403, 'REQUEST_LIMIT_EXCEEDED', `${what} Limit exceeded.`)
}

export const missing = failure(404, 'NOT_FOUND', 'The requested resource does not exist')

/** Of what orgs have and this one does not, with the status of an address that no org has. */
export const notInSandbox = (what: string): WireAnswer => failure(404, 'NOT_FOUND', `not in this sandbox: ${what}`)
