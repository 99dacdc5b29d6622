/** Sends fuzzed requests and reports in words what was wrong with the answers. */
import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { freshAddress, type TestApi } from '../api.ts'
import { type DocumentChecker, textOf } from '../document-checker.ts'
import { loopMsMax, timedOnLoop } from '../loop-time.ts'
import type { ApiOperation } from '../openapi.ts'
import type { FuzzRequest, LivingIds } from '../request-arbitrary.ts'
import type { Callers } from './callers.ts'
import { faultsOf, othersIn } from './faults.ts'

export interface Fuzzed {
  readonly server: TestApi
  readonly checker: DocumentChecker
  readonly operations: readonly ApiOperation[]
  readonly callers: Callers
  readonly ids: LivingIds
  /** Concurrent requests; with only one, its event loop time is checked too. */
  readonly atOnce: number
  /** Called with each answer, for example `404 NOT_FOUND`. */
  readonly onAnswer?: (request: FuzzRequest, answered: string) => void
}

export interface Found {
  readonly failures: readonly string[]
  /** Names of the operations that succeeded. */
  readonly succeeded: ReadonlySet<string>
}

export async function fuzz(fuzzed: Fuzzed, requests: readonly FuzzRequest[]): Promise<Found> {
  const { checker, operations, callers, ids, atOnce, onAnswer } = fuzzed
  const byName = new Map(operations.map((each) => [each.name, each]))
  const failures: string[] = []
  const succeeded = new Set<string>()
  const queue = requests.entries()
  const worker = async () => {
    for (const [index, request] of queue) {
      const token = tokenFor(request, index, callers)
      const call = () => send(fuzzed.server, request, token)
      const { reply, loopMs } = atOnce === 1 ? await timedOnLoop(call) : { reply: await call(), loopMs: 0 }
      const operation = byName.get(`${request.method} ${request.operation.path}`)
      const faults = [
        ...faultsOf(reply, operation, request.url, checker),
        ...othersIn(reply, { url: request.url, token }, callers, ids),
        ...(loopMs > loopMsMax ? [`keeps the event loop for ${loopMs} ms`] : []),
      ]
      if (reply.statusCode < 300) succeeded.add(request.operation.name)
      if (faults.length > 0) failures.push(`${faults.join('; ')} | request ${index}: ${inWords(request)}`)
      onAnswer?.(request, `${reply.statusCode} ${codeOf(reply)}`.trim())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { failures, succeeded }
}

const codeOf = (reply: LightMyRequestResponse): string =>
  reply.statusCode < 400 ? '' : String((JSON.parse(textOf(reply)) as { error_code?: unknown }).error_code)

async function send(server: TestApi, request: FuzzRequest, token: string | undefined): Promise<LightMyRequestResponse> {
  const { method, url, headers, body } = request
  return server.app.inject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).parse(method),
    url,
    // Logins fail here all the time; the throttle has its own tests.
    remoteAddress: request.operation.guard === 'public' ? freshAddress() : '10.0.0.1',
    headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { payload: body }),
  })
}

function tokenFor(
  request: FuzzRequest,
  index: number,
  { customers, doomed, leaver, operators }: Callers,
): string | undefined {
  if (request.operation.guard === 'public') return undefined
  if (request.operation.guard === 'operator') return operators[index % operators.length]
  if (request.url.startsWith('/api/users/') && request.method === 'DELETE') return doomed.token
  if (request.url.startsWith('/api/auth/logout')) return leaver.token
  return customers[index % customers.length]?.token
}

const inWords = ({ method, url, headers, body }: FuzzRequest) =>
  `${method} ${url.slice(0, 400)} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? 'no body'}`
