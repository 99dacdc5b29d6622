/** Everything that a call causes carries the ID of the call, and belongs to its span where traces are sent. */
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
    // Polled by machines every few seconds: not worth a trace.
    if (request.routeOptions.config.probe !== true) {
      withOrigin({ requestId: request.id }, () =>
        spanOf.set(request, callSpan(request.method, route, typeof given === 'string' ? given : undefined)),
      )
    }
    follow(request, done)
  })
  // Again once the body is read: the earlier async context is lost with the events that deliver the body.
  app.addHook('preValidation', (request, _reply, done) => follow(request, done))
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    spanOf.get(request)?.end({ failed: statusCode >= 500, attributes: { 'http.response.status_code': statusCode } })
    done()
  })
}
