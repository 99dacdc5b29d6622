/** Everything that a call brings about knows the id of the call, and belongs to its span where traces are sent. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withOrigin } from '../../telemetry/request-origin.ts'
import { callSpan, type OpenSpan } from '../../telemetry/spans.ts'

export function followRequests(app: FastifyInstance): void {
  const spanOf = new WeakMap<FastifyRequest, OpenSpan>()
  const follow = (request: FastifyRequest, next: () => void) =>
    withOrigin({ requestId: request.id }, () => {
      const span = spanOf.get(request)
      if (span) span.within(next)
      else next()
    })
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const given = request.headers['traceparent']
    // Asked every few seconds by machines: nobody wants a trace of it.
    if (request.routeOptions.config.probe !== true) {
      withOrigin({ requestId: request.id }, () =>
        spanOf.set(request, callSpan(request.method, route, typeof given === 'string' ? given : undefined)),
      )
    }
    follow(request, done)
  })
  // Again once the body is read: what was kept before is lost with the events that bring it.
  app.addHook('preValidation', (request, _reply, done) => follow(request, done))
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    spanOf.get(request)?.end({ failed: statusCode >= 500, attributes: { 'http.response.status_code': statusCode } })
    done()
  })
}
