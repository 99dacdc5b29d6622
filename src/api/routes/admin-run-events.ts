/** GET /admin/ingest/runs/{id}/events: a run as server-sent events, until it rests. */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { getRun } from '../../ingest/run/runs.ts'
import { isAtRest } from '../../ingest/run/transitions.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { RunPath, runIdOf, runOf } from './admin-lists.ts'

export const adminRunEventRoutes: Routes = async (app, { db, eventStreams }) => {
  app.get(
    '/admin/ingest/runs/:id/events',
    {
      config: { errors: ['TOO_MANY_CONCURRENT'] },
      schema: {
        operationId: 'watchIngestRun',
        ...admin,
        summary: 'A run as server-sent events, while it is at work',
        description:
          'Each event `run` holds the whole run, as GET /admin/ingest/runs/{id} shows it, whenever it has changed. The stream ends once the run rests, or after ten minutes: ask again, with the id of the last event as Last-Event-ID.',
        params: RunPath,
        response: {
          200: { description: 'The events', content: { 'text/event-stream': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const runId = runIdOf(request.params.id)
      const events = await eventStreams.open({
        credential: request.operatorId ?? '',
        lastEventId: String(request.headers['last-event-id'] ?? ''),
        async look() {
          const run = await getRun(db, runId)
          return { event: 'run', data: runOf(run), rests: isAtRest(run.status) }
        },
      })
      // A HEAD is answered without them.
      reply.raw.once('close', () => events.destroy())
      return sendEvents(reply, events)
    },
  )
}

const sendEvents = (reply: FastifyReply, events: Readable): FastifyReply =>
  reply.type('text/event-stream; charset=utf-8').send(events)
