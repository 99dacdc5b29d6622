/** One log line per response. */
import type { FastifyInstance } from 'fastify'

/** A response that took longer is logged, whatever its status. */
const slowMs = 1_000

/**
 * Refusals, faults and slow responses at info; the others at debug, because a line per success costs more than parts of
 * the response. Logs the route's pattern, not the URL, which keeps identifiers and tokens out of the logs.
 */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const tookMs = reply.elapsedTime - reply.heldMs
    // Delayed floods show up in the metrics, not as a log line per call.
    const level = reply.heldMs === 0 && (reply.statusCode >= 400 || tookMs > slowMs) ? 'info' : 'debug'
    request.log[level](
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(tookMs * 10) / 10,
        accountId: request.principal?.accountId,
      },
      'answered',
    )
    done()
  })
}
