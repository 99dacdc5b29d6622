/**
 * The OpenAPI document without a server: the routes are registered, none is run, so no database is needed. For what is
 * made from the document; a test holds it equal to what /openapi.json serves.
 */
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { noConnectSettings } from '../deliver/connect/connect-parts.ts'
import { Secret } from '../domain/secret.ts'
import { createStrangers } from './hooks/stranger-bucket.ts'
import { createMetrics } from './metrics/metrics.ts'
import { openApiOptions } from './open-api.ts'
import { type ConsoleContext, consoleSignInRoutes } from './routes/console-session.ts'
import { healthRoutes } from './routes/health.ts'
import { registerAdminRoutes, registerDeveloperRoutes } from './routes/index.ts'
import { metricsRoutes } from './routes/metrics.ts'

const refuse = () => Promise.reject(new Error('the document is made without a database'))

const nothingBehind: ConsoleContext = {
  db: {
    identity: {},
    query: refuse,
    execute: refuse,
    transaction: refuse,
    readSnapshot: refuse,
    withConnection: refuse,
    poolUsage: () => ({ open: 0, idle: 0, waiting: 0 }),
    close: refuse,
  },
  dearReads: { run: refuse, runInTurn: refuse, usage: () => ({ running: 0, waiting: 0, refused: 0 }) },
  openAnswers: { hold: () => {}, open: () => 0 },
  eventStreams: { open: refuse, close: () => {} },
  queue: { send: refuse },
  settings: { leadSource: '', onlineLabel: '' },
  delivery: { connectors: [], secretKey: new Secret('no key'), talks: { run: refuse }, connect: noConnectSettings },
  intake: { dataDir: '', fileBytesMax: 0 },
  keyRing: { current: refuse, publicKey: refuse, check: refuse },
  strangers: createStrangers(),
  credentials: {
    apiKey: refuse,
    refreshToken: refuse,
    signingKey: refuse,
    operatorToken: refuse,
    browserSession: refuse,
    consoleSession: refuse,
    consoleCode: refuse,
    signInCode: refuse,
  },
  operatorNames: [],
  door: refuse,
  marks: new Map(),
  trail: { note: () => undefined, refuse: () => undefined, flush: refuse, settle: refuse },
}

export async function openApiDocument(): Promise<object> {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(swagger, openApiOptions)
  await app.register(healthRoutes(refuse), nothingBehind)
  await registerDeveloperRoutes(app, nothingBehind, nothingBehind)
  await registerAdminRoutes(app, nothingBehind)
  await app.register(consoleSignInRoutes, nothingBehind)
  await app.register(
    metricsRoutes(createMetrics(nothingBehind.db, { build: { version: 'unknown', build: 'unknown', role: 'api' } })),
    nothingBehind,
  )
  await app.ready()
  return app.swagger()
}
