/**
 * Which errors an operation of the OpenAPI document can answer with: what follows from its kind, and what its own
 * handler refuses. The fuzzer and the conformance tests fail on an answer that is not named here.
 */
import { z } from 'zod'
import { keyScopes } from '../domain/key-scope.ts'
import { operatorRoles } from '../domain/operator-role.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import { ErrorBody } from './error-reply.ts'

const index = z.int().describe('Position of the faulty item in the list that was sent, from 0')

/** The error body with the members that some errors add. */
export const DocumentedError = ErrorBody.extend({
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('Of a request whose shape is wrong: one entry per fault'),
  parameter: z.string().optional().describe('The parameter or member that cannot be read'),
  suggestion: z.string().nullable().optional().describe('What was probably meant'),
  line: z.int().optional().describe('Of a body that is no JSON, or a screener query: where the mistake stands, from 1'),
  column: z.int().optional().describe('Of the same'),
  position: z.int().optional().describe('Of a screener query: where the mistake stands, from 0'),
  expected: z.array(z.string()).readonly().optional().describe('Of a screener query: what could stand there'),
  index: index.optional(),
  indexes: z.array(index).optional().describe('All faulty items'),
  dataset: z.string().optional().describe('Of a feed that is refused: recently_registered.<name>'),
  message: z.string().optional().describe('Of a feed that is refused: the same sentence as detail'),
  quota: z.string().optional().describe('What the account has stored too much of'),
  budget: z.string().optional().describe('The daily budget that is used up'),
  limit: z.number().nullable().optional().describe('Of that quota or budget'),
  used: z.number().optional().describe('Of that quota or budget'),
  reset: z.string().optional().describe('UTC timestamp at which the budget starts anew'),
  missing_scopes: z.array(z.enum(keyScopes)).optional().describe('Scopes that the key of the session has not'),
  required_role: z.enum(operatorRoles).optional().describe('Role that an operator needs for the call'),
  reason: z.string().optional().describe('A word for the cause, where one code has several'),
}).meta({
  id: 'Error',
  description: 'Every error body. Members beyond the first three appear where they help.',
  examples: [
    {
      detail: 'Line 1, column 1: Sate is not a field of company. Write State instead.',
      error_code: 'QUERY_SYNTAX',
      request_id: '8ef18760-712a-4765-868c-4f5feca51411',
      position: 0,
      suggestion: 'State',
    },
  ],
})

interface RouteFacts {
  /** `POST /api/orders/{id}/cancel` */
  readonly name: string
  readonly guard: 'public' | 'account' | 'operator'
  readonly hasBody: boolean
  readonly hasPathParameter: boolean
  readonly idempotent: boolean
}

const record: readonly ErrorCode[] = ['NOT_FOUND', 'UNPROCESSABLE', 'QUERY_TOO_EXPENSIVE']
const dear: readonly ErrorCode[] = ['QUERY_TOO_EXPENSIVE', 'TOO_MANY_CONCURRENT']
const filter: readonly ErrorCode[] = ['UNPROCESSABLE', ...dear]
const feed: readonly ErrorCode[] = ['NO_DATASET_ACCESS', 'TERRITORY_NOT_ENTITLED', 'UNPROCESSABLE', ...dear]
const query: readonly ErrorCode[] = ['QUERY_SYNTAX', ...dear]
const dated: readonly ErrorCode[] = ['NO_DATASET_ACCESS', ...query]
const order: readonly ErrorCode[] = ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED']

/** Beyond what follows from the kind of an operation. */
export const ownErrors: Readonly<Record<string, readonly ErrorCode[]>> = {
  'POST /api/auth/login': [
    'INVALID_API_KEY',
    'ACCOUNT_SUSPENDED',
    'ADDRESS_BLOCKED',
    'LOGIN_THROTTLED',
    'SECRET_KEY_WRONG',
  ],
  'POST /api/auth/refresh-token': ['INVALID_REFRESH_TOKEN', 'ACCOUNT_SUSPENDED', 'ADDRESS_BLOCKED', 'SECRET_KEY_WRONG'],
  'GET /readyz': ['SECRET_KEY_WRONG'],
  'DELETE /api/users/me/account': ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'FRESH_LOGIN_REQUIRED'],
  'POST /api/keys': ['NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  'POST /admin/users/{id}/keys': ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  'POST /admin/operators': ['UNPROCESSABLE', 'CONFLICT'],
  'POST /api/offers/{id}/activate': ['CONFLICT'],
  'POST /admin/users/{id}/offers/{offer_id}/activate': ['CONFLICT'],
  'GET /api/company/details': record,
  'GET /api/gst/details': record,
  'GET /api/company/director-details': record,
  'GET /api/company/history': record,
  'GET /api/gst/history': record,
  'GET /api/company/director-history': record,
  'GET /api/company/company-filter': filter,
  'GET /api/gst/gst-filter': filter,
  'GET /api/company/director-filter': filter,
  'POST /api/recently-registered/companies': feed,
  'POST /api/recently-registered/directors': feed,
  'POST /api/recently-registered/gst': feed,
  'POST /api/screener/search': dated,
  'POST /api/screener/explain': dated,
  'POST /api/screener/screeners': ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'],
  'PUT /api/screener/screeners/{screener_id}': ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'],
  'POST /api/screener/screeners/{screener_id}/run': dated,
  'POST /api/watchlist': ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  'POST /api/watchlist/{watchlist_id}/entities': ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  'DELETE /api/watchlist/{watchlist_id}/entities': ['UNPROCESSABLE'],
  'POST /api/orders/normal': order,
  'POST /api/orders/{id}/cancel': ['CONFLICT'],
  'GET /api/orders/{id}/export': dear,
  'GET /api/crm/orders/{order_id}/leads': dear,
  'POST /api/crm/newlead': order,
  'POST /admin/security/unblock-ip': ['NOT_FOUND'],
}

const always: readonly ErrorCode[] = ['BAD_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE', 'SERVICE_BUSY']
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
    'RATE_LIMITED',
  ],
  operator: ['OPERATOR_TOKEN_REQUIRED', 'OPERATOR_ROLE_MISSING', 'LOGIN_THROTTLED'],
}

/** @returns the codes by their HTTP status. */
export function errorsOf({ name, guard, hasBody, hasPathParameter, idempotent }: RouteFacts): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...always,
    ...byGuard[guard],
    ...(hasBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(hasPathParameter ? (['NOT_FOUND'] as const) : []),
    ...(idempotent ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'CONFLICT'] as const) : []),
    ...(ownErrors[name] ?? []),
  ])
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(errorCodes[code], [...(byStatus.get(errorCodes[code]) ?? []), code])
  return new Map([...byStatus].sort(([one], [other]) => one - other))
}
