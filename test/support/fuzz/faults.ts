/**
 * What is wrong with an answer to a fuzzed request, in words; empty where it conforms to the document and reveals
 * nothing of other accounts.
 */
import type { LightMyRequestResponse } from 'fastify'
import { type ErrorCode, errorCodes } from '../../../src/errors.ts'
import { type DocumentChecker, textOf } from '../document-checker.ts'
import type { ApiOperation } from '../openapi.ts'
import type { LivingIds } from '../request-arbitrary.ts'
import { type Callers, ownedSegments } from './callers.ts'

/** @param operation undefined where none has the method. */
export function faultsOf(
  reply: LightMyRequestResponse,
  operation: ApiOperation | undefined,
  url: string,
  checker: DocumentChecker,
): string[] {
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const { statusCode: status, headers } = reply
  demand(status < 500, `status ${status}`)
  demand(headers['strict-transport-security'] !== undefined, 'no Strict-Transport-Security')
  demand(headers['x-content-type-options'] === 'nosniff', 'no nosniff')
  demand(headers['cache-control'] === 'no-store, private', 'Cache-Control')
  demand(typeof headers['x-request-id'] === 'string', 'no X-Request-Id')
  demand(headers['x-injected'] === undefined, 'a header was injected')
  const matched = operation !== undefined && status !== 400
  if (url.startsWith('/api/') && matched) demand(headers['x-ratelimit-limit'] !== undefined, 'no X-RateLimit-Limit')
  if (status >= 400) faults.push(...errorFaults(reply))
  if (!operation) demand([400, 404, 405, 413, 415].includes(status), `status ${status} for no operation`)
  return faults.length > 0 || !operation ? faults : checker.faultsOf(reply, operation)
}

/** For every error body, also where no operation is documented. */
function errorFaults(reply: LightMyRequestResponse): string[] {
  const {
    detail,
    error_code: code,
    request_id: requestId,
  } = JSON.parse(textOf(reply)) as Partial<Record<string, string>>
  const faults: string[] = []
  if (!detail || !code) faults.push(`error body ${textOf(reply).slice(0, 200)}`)
  if (errorCodes[code as ErrorCode] !== reply.statusCode) faults.push(`${code} with status ${reply.statusCode}`)
  if (requestId !== reply.headers['x-request-id']) faults.push('request_id differs from X-Request-Id')
  if (/\n\s+at |node_modules|pg_catalog|SELECT .* FROM/.test(detail ?? '')) faults.push(`leak: ${detail}`)
  return faults
}

/** What an answer to one account reveals of another: its id, its names, or that what a path names exists. */
export function othersIn(
  reply: LightMyRequestResponse,
  { url, token }: { readonly url: string; readonly token: string | undefined },
  { customers }: Callers,
  ids: LivingIds,
): string[] {
  if (!customers.some((each) => each.token === token)) return []
  const text = textOf(reply)
  const leaks = customers
    .filter((each) => each.token !== token && (text.includes(each.accountId) || text.includes(each.mark)))
    .map(({ accountId }) => `tells of account ${accountId}`)
  if (reply.statusCode >= 300 || customers[0]?.token === token) return leaks
  const reached = ownedSegments.flatMap((segment) => ids[segment] ?? []).filter((id) => url.includes(`/${id}`))
  return [...leaks, ...reached.map((id) => `reaches ${id}, which is another account's`)]
}
