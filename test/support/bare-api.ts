/** A server with the given routes only: no authentication, no limits counted, errors in the API's format. */
import Fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { refuseUnknownParameters } from '../../src/api/hooks/known-parameters.ts'
import { requestValidator } from '../../src/api/request/request-faults.ts'
import type { Principal, RouteContext, Routes } from '../../src/api/route-context.ts'
import { keyScopes } from '../../src/domain/key-scope.ts'
import { AppError } from '../../src/errors.ts'

export interface BareApi {
  readonly app: FastifyInstance
  /** Requests act for this account; may be set between requests. */
  accountId: string
}

export async function bareApi(context: Pick<RouteContext, 'db'>, ...routes: Routes[]): Promise<BareApi> {
  const app = Fastify()
  const api: BareApi = { app, accountId: '00000000-0000-0000-0000-000000000000' }
  app.setValidatorCompiler(requestValidator)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('principal', null)
  app.decorateRequest('limitState', null)
  app.addHook('onRequest', async (request) => {
    const user = { email: 'a@example.com', username: 'a', plan: 'free', isEnterprise: false } as const
    const who = {
      sessionId: '',
      apiKeyId: '',
      viewer: null,
      person: null,
      mustAddSecondFactor: false,
      scopes: keyScopes,
      standingOrderId: null,
      ...user,
    }
    request.principal = { accountId: api.accountId, ...who } satisfies Principal
    const kind = request.routeOptions.config.limit
    const resetAt = new Date('2026-11-22T00:00:00Z')
    request.limitState = kind ? { kind, limit: 100, remaining: 99, resetAt } : null
  })
  refuseUnknownParameters(app)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof AppError) {
      return reply.code(error.httpStatus).send({ detail: error.message, error_code: error.code, ...error.extra })
    }
    throw error
  })
  const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not part of this test')) })
  const expensiveReads = {
    run: (_request: unknown, work: (db: RouteContext['db'], timeoutMs: number) => unknown) => work(context.db, 5_000),
  }
  const full = {
    expensiveReads,
    queue: unused,
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    ...context,
  } as RouteContext
  for (const each of routes) await app.register(each, full)
  await app.ready()
  return api
}
