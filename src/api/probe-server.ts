/**
 * `/healthz`, `/readyz` and `/metrics` of a process that serves no API: a worker's, a scheduler's. Nothing else answers
 * on its port. Metrics accept the tokens of the environment; a worker may not read those in the database.
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { readinessBounds } from '../../config/http-bounds.ts'
import { createKeyRing } from '../access/signing-keys.ts'
import type { Db } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../telemetry/log.ts'
import { sendError } from './error-reply.ts'
import { oneOf } from './hooks/operator.ts'
import { addResponseHeaders, requestIdOf } from './hooks/response-headers.ts'
import { addUnknownPathReply } from './hooks/unknown-path.ts'
import { type BuildFacts, createMetrics } from './metrics/metrics.ts'
import { canServe, createReadiness } from './readiness.ts'

export interface ProbeOptions {
  /** The metrics report on its pool. */
  readonly db: Db
  /** A separate connection, so that /readyz is answered while jobs use the others. */
  readonly readinessDb: Db
  readonly secretKey: Secret
  /** Each of them opens /metrics. */
  readonly tokens: readonly Secret[]
  readonly build: BuildFacts
  /** Data directory whose disk the metrics report. */
  readonly dataDir?: string
  readonly log: Logger
}

export function buildProbeServer({
  db,
  readinessDb,
  secretKey,
  tokens,
  build,
  log,
  dataDir,
}: ProbeOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: 1,
    connectionTimeout: 10_000,
    requestTimeout: 10_000,
    forceCloseConnections: true,
  })
  app.decorateReply('errorCode', null)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  addResponseHeaders(app)
  addUnknownPathReply(app)
  const metrics = createMetrics(db, { build, ...(dataDir === undefined ? {} : { dataDir }) })
  const keyRing = createKeyRing(secretKey)
  const ready = createReadiness(canServe(readinessDb, keyRing), readinessBounds)
  const mayRead = oneOf(tokens)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await ready()
    return { status: 'ok' }
  })
  app.get('/metrics', async (request, reply) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined || !mayRead(token)) {
      throw new AppError(
        'OPERATOR_TOKEN_REQUIRED',
        'Send the token of PANJI_METRICS_TOKEN: "Authorization: Bearer <token>".',
      )
    }
    return reply.type(metrics.contentType).send(await metrics.render())
  })
  return app
}
