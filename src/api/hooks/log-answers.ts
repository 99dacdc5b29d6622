/** One line per answer in the log. */
import type { FastifyInstance } from 'fastify'

/** An answer that took longer is worth a line, whatever its status. */
const slowMs = 1_000

/**
 * Refusals, faults and slow answers at info; the others at debug, because a line per good answer costs more than
 * parts of the answer. The route's pattern, not the URL: identifiers and tokens stay out of the logs.
 */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const tookMs = reply.elapsedTime - reply.heldMs
    // A crowd that is held back is a number of the metrics, not a line for each of its calls.
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
