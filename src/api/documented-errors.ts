/**
 * Which errors an operation of the OpenAPI document can answer with: what follows from its kind, and what its route
 * names in `config.errors`. The fuzzer and the conformance tests fail on an answer that is not named here.
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
    .describe('Of a request whose shape is wrong: one entry per fault'),
  parameter: z.string().optional().describe('The parameter or member that cannot be read'),
  suggestion: z.string().nullable().optional().describe('What was probably meant'),
  line: z.int().optional().describe('Of a body that is no JSON, or a screener query: where the mistake stands, from 1'),
  column: z.int().optional().describe('Of the same'),
  position: z.int().optional().describe('Of a screener query: where the mistake stands, from 0'),
  found: z
    .string()
    .optional()
    .describe('Of a screener query: what stands there, and is to be replaced by the suggestion'),
  expected: z.array(z.string()).readonly().optional().describe('Of a screener query: what could stand there'),
  index: index.optional(),
  indexes: z.array(index).optional().describe('All faulty items'),
  dataset: z.string().optional().describe('Of a feed that is refused: recently_registered.<name>'),
  message: z.string().optional().describe('Of a feed that is refused: the same sentence as detail'),
  quota: z.string().optional().describe('What the account has stored too much of'),
  budget: z.string().optional().describe('The daily budget that is used up'),
  limit: z.number().nullable().optional().describe('Of that quota or budget'),
  used: z.number().optional().describe('Of that quota or budget'),
  reset: timestamp('at which the budget starts anew').optional(),
  missing_scopes: z.array(z.enum(keyScopes)).optional().describe('Scopes that the key of the session has not'),
  needed_role: z.enum(accountRoles).optional().describe('Role that a person of the account needs for the call'),
  required_role: z.enum(operatorRoles).optional().describe('Role that an operator needs for the call'),
  reason: z.string().optional().describe('A word for the cause, where one code has several'),
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

/** Of a route that reads one record of a register. */
export const recordErrors: readonly ErrorCode[] = ['NOT_FOUND', 'UNPROCESSABLE', 'QUERY_TOO_EXPENSIVE']
/** Of a route that goes through the expensive reads. */
export const expensiveErrors: readonly ErrorCode[] = ['QUERY_TOO_EXPENSIVE', 'TOO_MANY_CONCURRENT']

interface RouteFacts {
  readonly guard: 'public' | 'account' | 'operator'
  readonly hasBody: boolean
  readonly hasPathParameter: boolean
  readonly idempotent: boolean
  /** `config.errors` of the route. */
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
