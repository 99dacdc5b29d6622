import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { getRun } from '../../../ingest/run/runs.ts'
import { isAtRest } from '../../../ingest/run/transitions.ts'
import { operation } from '../../operation.ts'
import { RunPath, runIdOf, runOf } from './run-schemas.ts'

const sendEvents = (reply: FastifyReply, events: Readable): FastifyReply =>
  reply.type('text/event-stream; charset=utf-8').send(events)

export default operation({
  id: 'watchIngestRun',
  method: 'GET',
  path: '/admin/ingest/runs/:id/events',
  summary: 'Stream a run as server-sent events',
  description:
    'Each event `run` has the whole run, as GET /admin/ingest/runs/{id} shows it, whenever it changes. The stream ends once the run is no longer at work, or after ten minutes: reconnect with the ID of the last event as Last-Event-ID.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  errors: ['TOO_MANY_CONCURRENT'],
  params: RunPath,
  reply: {
    200: { description: 'The events', content: { 'text/event-stream': { schema: z.string() } } },
  },
  example: null,
  handle: async ({ db, eventStreams }, request, _caller, reply) => {
    const runId = runIdOf(request.params.id)
    const events = await eventStreams.open({
      credential: request.operatorId ?? '',
      lastEventId: String(request.headers['last-event-id'] ?? ''),
      async look() {
        const run = await getRun(db, runId)
        return { event: 'run', data: runOf(run), rests: isAtRest(run.status) }
      },
    })
    // A HEAD request gets no events.
    reply.raw.once('close', () => events.destroy())
    return sendEvents(reply, events)
  },
})
