/** The vendor's error format. */
import type { WireAnswer } from '../kit.ts'

/** Salesforce returns errors as an array. */
export function failure(status: number, errorCode: string, message: string, fields?: readonly string[]): WireAnswer {
  return { status, body: [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }] }
}

export const sessionExpired = failure(401, 'INVALID_SESSION_ID', 'Session expired or invalid')

export function limitExceeded(what: 'TotalRequests' | 'ConcurrentRequests'): WireAnswer {
  return failure(403, 'REQUEST_LIMIT_EXCEEDED', `${what} Limit exceeded.`)
}

export const missing = failure(404, 'NOT_FOUND', 'The requested resource does not exist')

/** For endpoints that real orgs have and the sandbox lacks, with the status of an unknown address. */
export const notInSandbox = (what: string): WireAnswer => failure(404, 'NOT_FOUND', `not in this sandbox: ${what}`)
