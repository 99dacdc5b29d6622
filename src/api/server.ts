/**
 * The HTTP API as one Fastify instance: headers, errors, document and reference page for all; operations behind their
 * authentication (guarded-operations.ts).
 */
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { bodyBounds, heldAnswerBounds, httpBounds } from '../../config/http-bounds.ts'
import { syncOffers } from '../access/offers.ts'
import { createRequestLog } from '../access/request-log/request-log.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import { createBareServer } from './bare-server.ts'
import { createBodyAllowance } from './body-allowance.ts'
import { addConnectPage } from './connect-page.ts'
import { addCors } from './cors.ts'
import { createContext } from './create-context.ts'
import { createDrain } from './drain.ts'
import { createExpensiveReads } from './expensive-reads.ts'
import { addOperations } from './guarded-operations.ts'
import { createAnonymousClients } from './hooks/anonymous-clients.ts'
import { addCompression } from './hooks/compression.ts'
import { boundConnections } from './hooks/connection-bounds.ts'
import { delayResponses } from './hooks/delayed-responses.ts'
import { followRequests } from './hooks/follow-requests.ts'
import { warnOfUntrustedProxy } from './hooks/forwarded-notice.ts'
import { shedLoad } from './hooks/load-shedding.ts'
import { logAnswers } from './hooks/log-answers.ts'
import { logRequests } from './hooks/log-requests.ts'
import { measureAnswers } from './hooks/measure-answers.ts'
import { addResponseHeaders, endConnectionsOnClose } from './hooks/response-headers.ts'
import { refuseDoubledHeaders } from './hooks/single-headers.ts'
import { addUnknownPathReply } from './hooks/unknown-path.ts'
import { type BuildFacts, createMetrics } from './metrics/metrics.ts'
import { addOidcPages } from './oidc-pages.ts'
import { openApiOptions } from './open-api.ts'
import { createOperatorAuthenticators } from './operator-authenticators.ts'
import { addReferencePage } from './reference-page.ts'
import { readJsonOnly } from './request/json-body.ts'
import { addSecurityTxt } from './security-txt.ts'
import type { ServerOptions } from './server-options.ts'
import { addWebPages, builtPages } from './web-pages.ts'

const expensivePlacesOfTests = 3
const unknownBuild: BuildFacts = { version: 'unknown', build: 'unknown', role: 'api' }

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { db, trustedProxies, bucketClock } = options
  const bounds = { ...httpBounds, ...options.http }
  const drain = options.drain ?? createDrain()
  const anonymous = createAnonymousClients(bucketClock)
  const auditLog = createAuditLog(db, (error) => options.log.error({ err: error }, 'could not write the audit log'))
  const app = createBareServer(options, { bounds, anonymous, auditLog })
  // Once no request is in progress any more.
  app.addHook('onClose', () => auditLog.flush())
  const requestLog = createRequestLog(db, (error) =>
    options.log.warn({ err: error }, 'could not write the request log'),
  )
  app.addHook('onClose', () => requestLog.flush())
  const bodies = createBodyAllowance({ ...bodyBounds, ...options.bodies }, bucketClock)
  readJsonOnly(app, bodies)
  followRequests(app)
  addResponseHeaders(app)
  endConnectionsOnClose(app, drain)
  boundConnections(app, bounds, trustedProxies)
  refuseDoubledHeaders(app)
  addUnknownPathReply(app)
  logAnswers(app)
  logRequests(app, requestLog)
  const delayedResponses = delayResponses(app, { ...heldAnswerBounds, ...options.delayedResponses }, bucketClock)
  const expensiveReads = createExpensiveReads(
    db,
    options.expensiveReads ?? { db, places: expensivePlacesOfTests },
    bucketClock,
  )
  const metrics = createMetrics(db, {
    build: options.build ?? unknownBuild,
    expensiveReads: expensiveReads.usage,
    delayedResponses: delayedResponses.usage,
    ...(options.standbys && { standbys: options.standbys }),
    ...(options.intake && { dataDir: options.intake.dataDir }),
    publicUrl: options.connect?.publicUrl,
  })
  measureAnswers(app, metrics)
  await app.register(cookie)
  await addCors(app, options.corsOrigins ?? [])
  await shedLoad(app, bounds)
  warnOfUntrustedProxy(app, db, trustedProxies)
  await addCompression(app)
  app.addHook('onReady', () => syncOffers(db))
  await app.register(swagger, openApiOptions)
  const authenticators = createOperatorAuthenticators(options, anonymous)
  const context = {
    ...createContext(app, options, { authenticators, drain, anonymous, auditLog, requestLog, expensiveReads }),
    metrics,
  }
  await addOperations(app, context, options, { bodies, authenticators })
  addConnectPage(app, context.delivery)
  addOidcPages(app, db, options.settings.oidc)
  addSecurityTxt(app, options.securityContact)
  await addReferencePage(app, {
    home: addWebPages(app, options.webDist ?? builtPages),
    publicUrl: options.connect?.publicUrl,
    documentAtStart: options.documentAtStart === true,
  })
  return app
}
