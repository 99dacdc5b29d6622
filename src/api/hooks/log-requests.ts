/**
 * The calls of an account's key go into its request log: method, route, status, time and the request's ID. No body, no
 * parameter and no secret; the account's own pages, which use a cookie, are left out.
 */
import type { FastifyInstance } from 'fastify'
import type { RequestLog } from '../../access/request-log/request-log.ts'

export function logRequests(app: FastifyInstance, requestLog: RequestLog): void {
  // After the response was sent.
  app.addHook('onResponse', (request, reply, done) => {
    const { principal, headers, method, routeOptions, id } = request
    if (principal?.apiKeyId && !principal.viewer && headers.authorization !== undefined) {
      const ms = Math.round(reply.elapsedTime)
      requestLog.note({
        ...{ accountId: principal.accountId, apiKeyId: principal.apiKeyId, requestId: id },
        ...{ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode, errorCode: reply.errorCode },
        ...{ at: new Date(Date.now() - ms), ms },
      })
    }
    done()
  })
}
