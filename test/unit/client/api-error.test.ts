import { expect, test } from 'vitest'
import { dataOf, PanjiApiError } from '../../../client/api-error.ts'

function thrownBy(status: number, headers: Record<string, string>, error: unknown): unknown {
  try {
    return dataOf({ error, response: new Response(null, { status, headers }) })
  } catch (fault) {
    return fault
  }
}

test('an error says when to retry if the response gives seconds', () => {
  const body = { detail: 'All calls of today are used up.', error_code: 'RATE_LIMITED', request_id: 'r1' }
  const limited = thrownBy(429, { 'Retry-After': '86399' }, body)
  expect(limited).toBeInstanceOf(PanjiApiError)
  expect(limited).toMatchObject({ status: 429, code: 'RATE_LIMITED', requestId: 'r1', body, retryAfterSeconds: 86_399 })
  for (const headers of [{}, { 'Retry-After': 'Fri, 27 Nov 2026 00:00:00 GMT' }])
    expect(thrownBy(503, headers as Record<string, string>, 'busy')).toMatchObject({
      status: 503,
      code: 'UNKNOWN',
      retryAfterSeconds: undefined,
    })
})
