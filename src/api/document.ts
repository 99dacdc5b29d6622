/**
 * The OpenAPI document without a server: the routes are registered, none is run, so no database is needed. For what is
 * made from the document; a test holds it equal to what /openapi.json serves.
 */
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { createMetrics } from './metrics/metrics.ts'
import { openApiOptions } from './open-api.ts'
import { healthRoutes } from './routes/health.ts'
import { registerAdminRoutes, registerDeveloperRoutes, type ServerContext } from './routes/index.ts'
import { metricsRoutes } from './routes/metrics.ts'

const refuse = () => Promise.reject(new Error('the document is made without a database'))

const nothingBehind: ServerContext = {
  db: {
    query: refuse,
    execute: refuse,
    transaction: refuse,
    readSnapshot: refuse,
    withConnection: refuse,
    poolUsage: () => ({ open: 0, idle: 0, waiting: 0 }),
    close: refuse,
  },
  queue: { send: refuse },
  settings: { leadSource: '', onlineLabel: '' },
  keyRing: { current: refuse, publicKey: refuse, check: refuse },
  operatorNames: [],
}

export async function openApiDocument(): Promise<object> {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(swagger, openApiOptions)
  await app.register(healthRoutes, nothingBehind)
  await registerDeveloperRoutes(app, nothingBehind)
  await registerAdminRoutes(app, nothingBehind)
  await app.register(metricsRoutes(createMetrics(nothingBehind.db)), nothingBehind)
  await app.ready()
  return app.swagger()
}
