import { z } from 'zod'
import type { Metrics } from '../metrics/metrics.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

/** `/metrics` in the text format of Prometheus, behind an operator's token or the one that may read metrics alone. */
export const metricsRoutes =
  (metrics: Metrics): Routes =>
  async (app) => {
    app.get(
      '/metrics',
      {
        schema: {
          operationId: 'getMetrics',
          ...admin,
          summary: 'Metrics of this process and of the work that waits, for Prometheus',
          description:
            'Answers by route and status with their durations, event loop delay, memory, database connections, queues, ingest runs. ' +
            'Takes an operator token, or the token of PANJI_METRICS_TOKEN, which opens nothing else.',
          response: {
            200: { description: 'Exposition text', content: { 'text/plain': { schema: z.string() } } },
          },
        },
      },
      async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
    )
  }
