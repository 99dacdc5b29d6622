/** The routes of orders and leads on a bare Fastify: the account of a call is named by its header `x-account`. */
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import type { RouteContext } from '../../../src/api/route-context.ts'
import { crmRoutes } from '../../../src/api/routes/crm.ts'
import { orderRoutes } from '../../../src/api/routes/orders.ts'
import { AppError } from '../../../src/errors.ts'

export async function buildTestApi(context: RouteContext) {
  const app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const accountId = String(request.headers['x-account'])
    request.principal = {
      accountId,
      sessionId: accountId,
      email: 'buyer@example.in',
      username: 'buyer',
      plan: 'free',
      isEnterprise: false,
    }
  })
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof AppError) {
      return reply.code(error.httpStatus).send({ detail: error.message, error_code: error.code, ...error.extra })
    }
    if (hasZodFastifySchemaValidationErrors(error)) {
      return reply.code(400).send({ detail: error.validation.map(({ message }) => message).join('; ') })
    }
    return reply.code(500).send({ detail: String(error) })
  })
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'orders', version: '0' } },
    transform: jsonSchemaTransform,
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(orderRoutes, context)
  await app.register(crmRoutes, context)
  return {
    get: (accountId: string, url: string) => app.inject({ method: 'GET', url, headers: { 'x-account': accountId } }),
    post: (accountId: string, url: string, payload: object = {}) =>
      app.inject({ method: 'POST', url, payload, headers: { 'x-account': accountId } }),
    close: () => app.close(),
  }
}

export type TestApi = Awaited<ReturnType<typeof buildTestApi>>
