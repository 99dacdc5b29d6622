/** What a route of the sandbox answers, and the vendor's shape of an error. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Salesforce answers failures with an array. */
export function failure(status: number, errorCode: string, message: string, fields?: readonly string[]): Reply {
  return { status, body: [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }] }
}

export const sessionExpired = failure(401, 'INVALID_SESSION_ID', 'Session expired or invalid')

export function limitExceeded(what: 'TotalRequests' | 'ConcurrentRequests'): Reply {
  return failure(403, 'REQUEST_LIMIT_EXCEEDED', `${what} Limit exceeded.`)
}
