/**
 * The errors that an operation can return in the OpenAPI document: those implied by its kind, and those that its route
 * lists in `config.errors`. The fuzzer and the conformance tests fail on any error that is not documented here.
 */
import { z } from 'zod'
import { accountRoles } from '../domain/account-role.ts'
import { keyScopes } from '../domain/key-scope.ts'
import { operatorRoles } from '../domain/operator-role.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import { ErrorBody } from './error-reply.ts'
import { timestamp } from './formats.ts'

const index = z.int().describe('Position of the faulty item in the list that was sent, from 0')

/** The error body with the members that some errors add. */
export const DocumentedError = ErrorBody.extend({
  errors: z
    .array(z.looseObject({ field: z.string(), message: z.string() }).meta({ id: 'ErrorField' }))
    .optional()
    .describe('For a malformed request: one entry per fault'),
  parameter: z.string().optional().describe('The invalid parameter or member'),
  suggestion: z.string().nullable().optional().describe('Suggested correction'),
  line: z.int().optional().describe('For a body that is not JSON, or a screener query: line of the error, from 1'),
  column: z.int().optional().describe('For the same: its column'),
  position: z.int().optional().describe('For a screener query: position of the error, from 0'),
  found: z
    .string()
    .optional()
    .describe('For a screener query: the text at that position, which the suggestion replaces'),
  expected: z.array(z.string()).readonly().optional().describe('For a screener query: what was expected there'),
  index: index.optional(),
  indexes: z.array(index).optional().describe('All faulty items'),
  dataset: z.string().optional().describe('For a feed that is not granted: recently_registered.<name>'),
  message: z.string().optional().describe('For a feed that is not granted: the same sentence as detail'),
  quota: z.string().optional().describe('The exceeded quota'),
  budget: z.string().optional().describe('The daily budget that is used up'),
  limit: z.number().nullable().optional().describe('Limit of that quota or budget'),
  used: z.number().optional().describe('Usage of that quota or budget'),
  reset: timestamp('at which the budget resets').optional(),
  missing_scopes: z.array(z.enum(keyScopes)).optional().describe("Scopes that the session's key lacks"),
  needed_role: z.enum(accountRoles).optional().describe('Role that a person of the account needs for the call'),
  required_role: z.enum(operatorRoles).optional().describe('Role that an operator needs for the call'),
  reason: z.string().optional().describe('Machine-readable cause, where one code has several'),
}).meta({
  id: 'Error',
  description: 'Every error body. Members beyond the first four appear where they help.',
  examples: [
    {
      detail: 'Line 1, column 1: Sate is not a field of company. Write State instead.',
      error_code: 'QUERY_SYNTAX',
      request_id: '8ef18760-712a-4765-868c-4f5feca51411',
      doc_url: '/docs/errors#QUERY_SYNTAX',
      position: 0,
      found: 'Sate',
      suggestion: 'State',
    },
  ],
})

export const recordErrors: readonly ErrorCode[] = ['NOT_FOUND', 'UNPROCESSABLE', 'QUERY_TOO_EXPENSIVE']
export const expensiveErrors: readonly ErrorCode[] = ['QUERY_TOO_EXPENSIVE', 'TOO_MANY_CONCURRENT']

interface RouteFacts {
  readonly guard: 'public' | 'account' | 'operator'
  readonly hasBody: boolean
  readonly hasPathParameter: boolean
  readonly idempotent: boolean
  readonly own: readonly ErrorCode[]
}

const always: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
  'NOT_WRITABLE',
  'SERVICE_BUSY',
]
const byGuard: Readonly<Record<RouteFacts['guard'], readonly ErrorCode[]>> = {
  public: [],
  account: [
    'UNAUTHENTICATED',
    'API_KEY_AS_BEARER',
    'TOKEN_EXPIRED',
    'WRONG_AUDIENCE',
    'ACCOUNT_SUSPENDED',
    'ADDRESS_BLOCKED',
    'SCOPE_MISSING',
    'ROLE_MISSING',
    'SECOND_FACTOR_MISSING',
    'CSRF_TOKEN_MISSING',
    'RATE_LIMITED',
  ],
  operator: [
    'OPERATOR_TOKEN_REQUIRED',
    'SECOND_FACTOR_REQUIRED',
    'OPERATOR_ROLE_MISSING',
    'CSRF_TOKEN_MISSING',
    'LOGIN_THROTTLED',
  ],
}

/** @returns the codes by their HTTP status. */
export function errorsOf({ guard, hasBody, hasPathParameter, idempotent, own }: RouteFacts): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...always,
    ...byGuard[guard],
    ...(hasBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(hasPathParameter ? (['NOT_FOUND'] as const) : []),
    ...(idempotent ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'CONFLICT'] as const) : []),
    ...own,
  ])
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(errorCodes[code], [...(byStatus.get(errorCodes[code]) ?? []), code])
  return new Map([...byStatus].sort(([one], [other]) => one - other))
}
