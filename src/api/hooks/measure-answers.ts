import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'

/** Counts every answer under its route's pattern; what meets no route is one series, whatever was asked for. */
export function measureAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observeAnswer({
      route: request.routeOptions.url ?? 'unknown',
      method: request.method,
      status: reply.statusCode,
      seconds: (reply.elapsedTime - reply.heldMs) / 1000,
      errorCode: reply.errorCode,
    })
    done()
  })
}
