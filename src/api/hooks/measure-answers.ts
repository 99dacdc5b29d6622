import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'

/** Counts every response under its route's pattern; requests without a route share one series. */
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
