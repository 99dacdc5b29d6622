/** The Fastify instance before anything is registered: request parsing, request properties, error replies. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { bodyBytesMax, type HttpBounds } from '../../config/http-bounds.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { sendError } from './error-reply.ts'
import type { AnonymousClients } from './hooks/anonymous-clients.ts'
import { noteRefusal } from './hooks/audit-log.ts'
import { serverOptionsOf } from './hooks/connection-bounds.ts'
import { requestIdOf, setOpeningHeaders } from './hooks/response-headers.ts'
import { answerExpectation, answerMalformedHttp } from './malformed-http.ts'
import { requestValidator } from './request/request-faults.ts'
import type { ServerOptions } from './server-options.ts'

interface BareParts {
  readonly bounds: HttpBounds
  readonly anonymous: AnonymousClients
  readonly auditLog: AuditLog
}

export function createBareServer(
  { log, trustedProxies }: Pick<ServerOptions, 'log' | 'trustedProxies'>,
  { bounds, anonymous, auditLog }: BareParts,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    ...serverOptionsOf(bounds),
    clientErrorHandler: answerMalformedHttp,
    // While the server closes, open connections are served to the end.
    return503OnClosing: false,
    // A malformed path is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      setOpeningHeaders(request, reply)
      void sendError(error, request, reply)
    },
  })
  app.server.on('checkExpectation', answerExpectation)
  app.setValidatorCompiler(requestValidator)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) => {
    noteRefusal(auditLog, request, error)
    return sendError(anonymous.answerTo(error, request.ip), request, reply)
  })
  app.decorateRequest('principal', null)
  app.decorateRequest('limitState', null)
  app.decorateRequest('operatorName', null)
  app.decorateRequest('operatorId', null)
  app.decorateRequest('operatorProof', null)
  app.decorateReply('errorCode', null)
  return app
}
