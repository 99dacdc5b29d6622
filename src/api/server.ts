/**
 * The HTTP API as one Fastify instance: headers, errors, document and reference page for all; the developer API
 * behind authentication and limits; /admin behind the operator token. Routes stand in routes/index.ts.
 */
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  bodyBounds,
  eventStreamBounds,
  heldAnswerBounds,
  httpBounds,
  readinessBounds,
} from '../../config/http-bounds.ts'
import { planLimits } from '../access/admission.ts'
import { environmentMarks, findConsoleSession } from '../access/console-sessions.ts'
import { createKnownCredentials } from '../access/known-credentials.ts'
import { syncOffers } from '../access/offers.ts'
import { createMetricsAuthenticator, createOperatorAuthenticator, isOperatorTokenShaped } from '../access/operators.ts'
import { createKeyRing } from '../access/signing-keys.ts'
import { accountDb } from '../db/account-scope.ts'
import { noConnectSettings } from '../deliver/connect/connect-parts.ts'
import { createTrail } from '../trail/trail.ts'
import { createBodyAllowance } from './body-allowance.ts'
import { addConnectPage } from './connect-page.ts'
import { createCrmTalks } from './crm-talks.ts'
import { createDearReads } from './dear-reads.ts'
import { createDrain, refuseWhileDraining } from './drain.ts'
import { sendError } from './error-reply.ts'
import { createEventStreams } from './event-streams.ts'
import { addAuthentication } from './hooks/authentication.ts'
import { addCompression } from './hooks/compression.ts'
import { boundConnections, serverOptionsOf } from './hooks/connection-bounds.ts'
import { addCors } from './hooks/cors.ts'
import { addEtags } from './hooks/etag.ts'
import { followRequests } from './hooks/follow-requests.ts'
import { warnOfUntrustedProxy } from './hooks/forwarded-notice.ts'
import { holdAnswers } from './hooks/held-answers.ts'
import { addIdempotency } from './hooks/idempotency.ts'
import { refuseUnknownParameters } from './hooks/known-parameters.ts'
import { readLargeBodiesInTurn } from './hooks/large-bodies.ts'
import { shedLoad } from './hooks/load-shedding.ts'
import { logAnswers } from './hooks/log-answers.ts'
import { measureAnswers } from './hooks/measure-answers.ts'
import { addOperatorCheck, createOperatorDoor, oneOf, type SessionReader } from './hooks/operator.ts'
import { addResponseHeaders, endConnectionsOnClose, requestIdOf, setOpeningHeaders } from './hooks/response-headers.ts'
import { createStrangers } from './hooks/stranger-bucket.ts'
import { addTrail, noteRefusal } from './hooks/trail.ts'
import { addUnknownPathReply } from './hooks/unknown-path.ts'
import { addWriteBudget } from './hooks/write-budget.ts'
import { answerMalformedHttp } from './malformed-http.ts'
import { type BuildFacts, createMetrics } from './metrics/metrics.ts'
import { createOpenAnswers } from './open-answers.ts'
import { openApiOptions } from './open-api.ts'
import { passingIntake } from './passing-intake.ts'
import { canServe, createReadiness } from './readiness.ts'
import { addReferencePage } from './reference-page.ts'
import { readJsonOnly } from './request/json-body.ts'
import { requestValidator } from './request/request-faults.ts'
import { consoleSignInRoutes } from './routes/console-session.ts'
import { healthRoutes } from './routes/health.ts'
import { registerAdminRoutes, registerDeveloperRoutes } from './routes/index.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { paymentRoutes } from './routes/payments.ts'
import { addSecurityTxt } from './security-txt.ts'
import type { ServerOptions } from './server-options.ts'
import { addWebPages, builtPages } from './web-pages.ts'

const bodyBytesMax = 1_048_576
const dearPlacesOfTests = 3
const untoldBuild: BuildFacts = { version: 'unknown', build: 'unknown', role: 'api' }

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { db, queue, settings, trustedProxies } = options
  const drain = options.drain ?? createDrain()
  const bounds = { ...httpBounds, ...options.http }
  const strangers = createStrangers(options.bucketClock)
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    ...serverOptionsOf(bounds),
    clientErrorHandler: answerMalformedHttp,
    // While the server closes, connections that are still open are served to the end.
    return503OnClosing: false,
    // A malformed path is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      setOpeningHeaders(request, reply)
      void sendError(error, request, reply)
    },
  })
  app.setValidatorCompiler(requestValidator)
  app.setSerializerCompiler(serializerCompiler)
  const trail = createTrail(db, (error) => options.log.error({ err: error }, 'the trail could not be written'))
  // Once no request is under way any more.
  app.addHook('onClose', () => trail.flush())
  app.setErrorHandler((error, request, reply) => {
    noteRefusal(trail, request, error)
    return sendError(strangers.answerTo(error, request.ip), request, reply)
  })
  app.decorateRequest('principal', null)
  app.decorateRequest('limitState', null)
  app.decorateRequest('operatorName', null)
  app.decorateRequest('operatorId', null)
  app.decorateReply('errorCode', null)
  const bodies = createBodyAllowance({ ...bodyBounds, ...options.bodies }, options.bucketClock)
  readJsonOnly(app, bodies)
  followRequests(app)
  addResponseHeaders(app)
  endConnectionsOnClose(app, drain)
  boundConnections(app, bounds, trustedProxies)
  addUnknownPathReply(app)
  logAnswers(app)
  const operators = [{ name: 'default', token: options.operatorToken }, ...(options.operators ?? [])]
  const authenticate = createOperatorAuthenticator(db, operators)
  const credentials = createKnownCredentials(db)
  const isGiven = oneOf([
    ...operators.map(({ token }) => token),
    ...(options.metricsToken ? [options.metricsToken] : []),
  ])
  const mayOpen = async (token: string) =>
    isGiven(token) || (isOperatorTokenShaped(token) && (await credentials.operatorToken(token)))
  const heldAnswers = holdAnswers(app, { ...heldAnswerBounds, ...options.heldAnswers }, options.bucketClock)
  const dearReads = createDearReads(db, options.dearReads ?? { db, places: dearPlacesOfTests })
  const metrics = createMetrics(db, {
    build: options.build ?? untoldBuild,
    dearReads: dearReads.usage,
    heldAnswers: heldAnswers.usage,
    ...(options.intake && { dataDir: options.intake.dataDir }),
  })
  measureAnswers(app, metrics)
  await app.register(cookie)
  await addCors(app, options.corsOrigins ?? [])
  await shedLoad(app, bounds)
  warnOfUntrustedProxy(app, db, trustedProxies)
  await addCompression(app)
  app.addHook('onReady', () => syncOffers(db))

  await app.register(swagger, openApiOptions)
  const keyRing = createKeyRing(options.secretKey)
  const operatorNames = operators.map(({ name }) => name)
  const { connect = noConnectSettings, connectors = [], secretKey } = options
  const delivery = { connectors, secretKey, talks: createCrmTalks(), connect }
  const intake = options.intake ?? passingIntake(app)
  const eventStreams = createEventStreams({ ...eventStreamBounds, ...options.eventStreams })
  // A server that stops waits for answers under way.
  app.addHook('preClose', async () => eventStreams.close())
  const context = {
    db,
    dearReads,
    openAnswers: createOpenAnswers(),
    eventStreams,
    queue,
    settings,
    delivery,
    intake,
    keyRing,
    strangers,
    credentials,
    operatorNames,
    trail,
  }
  const door = createOperatorDoor({ authenticate, strangers, mayOpen })
  const marks = environmentMarks(operators, options.secretKey)
  const consoleContext = { ...context, door, marks }
  const readSession: SessionReader = async (secret, ip) =>
    !strangers.others.isEmpty(ip) || (await credentials.consoleSession(secret))
      ? findConsoleSession(db, marks, secret)
      : undefined
  const reached = createReadiness(canServe(options.readinessDb ?? db, keyRing), readinessBounds)
  const readiness = async () => {
    refuseWhileDraining(drain)
    await reached()
  }
  await app.register(healthRoutes(readiness), context)
  await app.register(async (developer) => {
    addAuthentication(developer, context, options.limits ?? planLimits)
    bodies.addTo(developer)
    readLargeBodiesInTurn(developer)
    addTrail(developer, db, trail)
    refuseUnknownParameters(developer)
    addWriteBudget(developer, db)
    addIdempotency(developer, db, options.secretKey)
    addEtags(developer)
    const walled = { ...context, db: accountDb(db) }
    await registerDeveloperRoutes(developer.withTypeProvider<ZodTypeProvider>(), walled, context)
    for (const routes of options.extraRoutes ?? []) await developer.register(routes, walled)
  })
  await app.register(async (admin) => {
    addOperatorCheck(admin, door, readSession)
    addTrail(admin, db, trail)
    refuseUnknownParameters(admin)
    await registerAdminRoutes(admin.withTypeProvider<ZodTypeProvider>(), consoleContext)
  })
  await app.register(async (entrance) => {
    addTrail(entrance, db, trail)
    refuseUnknownParameters(entrance)
    await entrance.register(consoleSignInRoutes, consoleContext)
  })
  const { payments } = settings
  if (payments) {
    await app.register(async (paid) => {
      addTrail(paid, db, trail)
      await paid.register(paymentRoutes(payments), context)
    })
  }
  await app.register(async (scraped) => {
    const scraper = createMetricsAuthenticator(options.metricsToken, authenticate)
    addOperatorCheck(scraped, createOperatorDoor({ authenticate: scraper, strangers, mayOpen }))
    await scraped.register(metricsRoutes(metrics), context)
  })
  addConnectPage(app, { db, connectors, secretKey, connect })
  addSecurityTxt(app, options.securityContact)
  const home = addWebPages(app, options.webDist ?? builtPages)
  await addReferencePage(app, home, options.documentAtStart === true)
  return app
}
