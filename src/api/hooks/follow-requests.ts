/** Everything that a call brings about knows the id of the call. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withOrigin } from '../../telemetry/request-origin.ts'

export function followRequests(app: FastifyInstance): void {
  const follow = (request: FastifyRequest, next: () => void) => withOrigin({ requestId: request.id }, next)
  app.addHook('onRequest', (request, _reply, done) => follow(request, done))
  // Again once the body is read: what was kept before is lost with the events that bring it.
  app.addHook('preValidation', (request, _reply, done) => follow(request, done))
}
