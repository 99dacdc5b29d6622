/** HubSpot's error bodies in its own words. Each is the reply to a whole call or one entry of a 207. */
import { randomUUID } from 'node:crypto'
import type { WireAnswer } from '../kit.ts'

/** One rejected value; HubSpot sends the list as JSON inside the text of `message`. */
export interface ValueFault {
  readonly isValid: false
  readonly message: string
  readonly error: string
  readonly name: string
}

export interface RowFault {
  readonly status: number
  readonly category: string
  readonly subCategory?: string
  readonly message: string
  readonly errors: readonly unknown[]
}

export function errorAnswer(status: number, category: string, message: string, more: object = {}): WireAnswer {
  return { status, body: { status: 'error', message, correlationId: randomUUID(), category, ...more } }
}

export function validationError(message: string): WireAnswer {
  return errorAnswer(400, 'VALIDATION_ERROR', message)
}

export function rowFault(faults: readonly ValueFault[]): RowFault {
  return {
    status: 400,
    category: 'VALIDATION_ERROR',
    message: `Property values were not valid: ${JSON.stringify(faults)}`,
    errors: faults.map(({ message, error, name }) => ({ message, code: error, context: { propertyName: [name] } })),
  }
}

export function conflictFault(message: string): RowFault {
  return { status: 409, category: 'CONFLICT', message, errors: [] }
}

/** The vendor documents the code for imports, and that accounts have such limits; the message is invented. */
export function limitFault(what: string, max: number): RowFault {
  const message = `This account has reached its limit of ${max} ${what}`
  return { status: 400, category: 'VALIDATION_ERROR', subCategory: 'CrmLimits.LIMIT_EXCEEDED', message, errors: [] }
}

export function refusal({ status, category, message, ...more }: RowFault): WireAnswer {
  return errorAnswer(status, category, message, more)
}

export const unauthorized = (category: 'INVALID_AUTHENTICATION' | 'EXPIRED_AUTHENTICATION'): WireAnswer =>
  errorAnswer(
    401,
    category,
    category === 'INVALID_AUTHENTICATION'
      ? 'Authentication credentials not found or not accepted.'
      : 'The access token has expired.',
  )

export function missingScopes(scopes: readonly string[]): WireAnswer {
  const message = 'This app has not been granted all required scopes to make this call.'
  const errors = [{ message: 'One or more scopes are required.', context: { requiredGranularScopes: scopes } }]
  return errorAnswer(403, 'MISSING_SCOPES', message, { errors })
}

export const notFound = (what: string): WireAnswer => errorAnswer(404, 'OBJECT_NOT_FOUND', what)

/** For endpoints that real accounts have and the sandbox lacks, with the status of an unknown address. */
export const notInSandbox = (method: string, path: string): WireAnswer =>
  notFound(`not in this sandbox: ${method} ${path}`)

/** The search endpoint's form, which names no policy. */
export const searchLimited = errorAnswer(429, 'RATE_LIMITS', 'You have reached your secondly limit.')

/** The form with `policyName`, which most endpoints use. */
export function rateLimited(policy: 'DAILY' | 'TEN_SECONDLY_ROLLING' | 'SECONDLY'): WireAnswer {
  const period = { DAILY: 'daily', TEN_SECONDLY_ROLLING: 'ten_secondly_rolling', SECONDLY: 'secondly' }[policy]
  return {
    status: 429,
    body: {
      status: 'error',
      message: `You have reached your ${period} limit.`,
      errorType: 'RATE_LIMIT',
      correlationId: randomUUID(),
      policyName: policy,
      requestId: randomUUID(),
    },
  }
}
