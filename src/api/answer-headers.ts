/** The response headers in the OpenAPI document: what each means, and which responses have it. */
import type { Operation } from './document-shape.ts'

const integer = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example })
const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const timestamp = (description: string) => ({
  description,
  schema: { type: 'string', format: 'date-time' },
  example: '2026-01-01T00:00:00.000Z',
})

export const answerHeaders = {
  'X-Request-Id': text('ID of the request, also in error bodies', '8ef18760-712a-4765-868c-4f5feca51411'),
  'X-RateLimit-Limit': integer('Calls allowed in the window', 100),
  'X-RateLimit-Remaining': integer('Calls left in the window', 99),
  'X-RateLimit-Reset': timestamp('UTC timestamp at which the window ends'),
  'X-RateLimit-Records-Limit': integer('Records that the feeds may return per UTC day', 10_000),
  'X-RateLimit-Records-Remaining': integer('Records left today', 9_990),
  'X-RateLimit-Records-Reset': timestamp('UTC timestamp of the next day'),
  'Retry-After': integer('Seconds to wait before retrying', 30),
  'WWW-Authenticate': text('Required authentication: a bearer token', 'Bearer realm="panji"'),
  ETag: text('Send it as If-None-Match to get a 304 while nothing has changed', '"7d5c1b2e"'),
  'X-Total-Count': integer('Records on all pages', 120),
  'X-Next-Cursor': text('Send it as cursor for the next page; absent on the last one', 'eyJ2IjoxfQ'),
  'Idempotency-Replayed': text('true where this is the stored answer to an earlier request with the same key', 'true'),
  'Set-Cookie': text(
    'The session of this browser, or its end; over https its name begins with __Host-',
    'panji_app=…; Path=/; HttpOnly; SameSite=Strict',
  ),
  'Clear-Site-Data': text('Makes the browser clear its cached pages of this site', '"cache"'),
  'Content-Disposition': text('File name; only for CSV', 'attachment; filename="order.csv"'),
} as const

export type AnswerHeader = keyof typeof answerHeaders

const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
const records = ['X-RateLimit-Records-Limit', 'X-RateLimit-Records-Remaining', 'X-RateLimit-Records-Reset'] as const

/** Derived from the kind of an operation and the status of its response. */
export function headersOf(operation: Operation, path: string, status: string): AnswerHeader[] {
  const { tags = [], parameters = [], responses = {} } = operation
  const isSuccess = status.startsWith('2')
  const content = responses[status]?.content ?? {}
  const only = <T>(when: boolean, names: readonly T[]): readonly T[] => (when ? names : [])
  return [
    'X-Request-Id',
    ...only(path.startsWith('/api/') || path.startsWith('/app/session'), limits),
    ...only(tags.includes('Feeds') && (isSuccess || status === '429'), records),
    ...only(['429', '503'].includes(status), ['Retry-After'] as const),
    ...only(status === '401', ['WWW-Authenticate'] as const),
    ...only('304' in responses && (isSuccess || status === '304'), ['ETag'] as const),
    // A list that is the whole body leaves no other place for its total.
    ...only(isSuccess && isList(content['application/json']?.schema), ['X-Total-Count', 'X-Next-Cursor'] as const),
    ...only(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
      ['Idempotency-Replayed'] as const,
    ),
    ...only(isSuccess && /\/(session|view)$/.test(path), ['Set-Cookie'] as const),
    ...only(status === '204' && path.endsWith('/session'), ['Clear-Site-Data'] as const),
    ...only(
      files.some((type) => type in content),
      ['Content-Disposition'] as const,
    ),
  ]
}

const files = ['text/csv', 'application/pdf']
const isList = (schema: object | undefined) => schema !== undefined && 'type' in schema && schema.type === 'array'
