/**
 * The OpenAPI document without a server: the routes are registered but none is run, so no database is needed. For
 * everything generated from the document; a test checks that it equals /openapi.json.
 */
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { noConnectSettings } from '../deliver/connect/connect-parts.ts'
import { Secret } from '../domain/secret.ts'
import { createAnonymousClients } from './hooks/anonymous-clients.ts'
import { openApiOptions } from './open-api.ts'
import { operations } from './operations/index.ts'
import { registerOperations } from './register-operations.ts'
import type { ServerContext } from './server-context.ts'

const refuse = () => Promise.reject(new Error('the document is made without a database'))

const noDb: ServerContext['db'] = {
  identity: {},
  query: refuse,
  execute: refuse,
  transaction: refuse,
  readSnapshot: refuse,
  withConnection: refuse,
  poolUsage: () => ({ open: 0, idle: 0, waiting: 0 }),
  close: refuse,
}

const nothingBehind: ServerContext = {
  db: noDb,
  registers: noDb,
  expensiveReads: { run: refuse, runInTurn: refuse, usage: () => ({ running: 0, waiting: 0, refused: 0 }) },
  openAnswers: { hold: () => {}, open: () => 0 },
  eventStreams: { open: refuse, close: () => {} },
  queue: { send: refuse },
  settings: { leadSource: '', onlineLabel: '' },
  delivery: {
    db: noDb,
    connectors: [],
    secretKey: new Secret('no key'),
    crmRequests: { run: refuse },
    connect: noConnectSettings,
  },
  intake: { dataDir: '', fileBytesMax: 0 },
  keyRing: { current: refuse, publicKey: refuse, check: refuse },
  anonymous: createAnonymousClients(),
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
  authenticateOperator: refuse,
  marks: new Map(),
  readiness: refuse,
  metrics: { contentType: '', observeAnswer: () => {}, render: refuse },
  auditLog: { note: () => undefined, refuse: () => undefined, flush: refuse, settle: refuse },
  requestLog: { note: () => undefined, flush: refuse },
}

export async function openApiDocument(): Promise<object> {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(swagger, openApiOptions)
  registerOperations(app, operations, () => nothingBehind)
  await app.ready()
  return app.swagger()
}
