import { z } from 'zod'
import { operation } from '../../operation.ts'

export default operation({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics of this process and of waiting work, for Prometheus',
  description:
    'Answers by route and status with their durations, event loop delay, memory, database connections, queues, ingest runs. ' +
    'Accepts an operator token, or the token of PANJI_METRICS_TOKEN, which allows nothing else.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  probe: true,
  reply: { 200: { description: 'Exposition text', content: { 'text/plain': { schema: z.string() } } } },
  example: null,
  handle: async ({ metrics }, _request, _caller, reply) => reply.type(metrics.contentType).send(await metrics.render()),
})
