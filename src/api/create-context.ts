/** The context of operations, built from the server's options and its parts. */
import type { FastifyInstance } from 'fastify'
import { eventStreamBounds, readinessBounds } from '../../config/http-bounds.ts'
import { createKeyRing } from '../access/signing-keys.ts'
import { noConnectSettings } from '../deliver/connect/connect-parts.ts'
import { createCrmRequests } from './crm-requests.ts'
import { type Drain, refuseWhileDraining } from './drain.ts'
import { createEventStreams } from './event-streams.ts'
import { createOpenAnswers } from './open-answers.ts'
import type { OperatorAuthenticators } from './operator-authenticators.ts'
import { passingIntake } from './passing-intake.ts'
import { canServe, createReadiness } from './readiness.ts'
import type { ServerContext } from './server-context.ts'
import type { ServerOptions } from './server-options.ts'

type Made = Pick<ServerContext, 'anonymous' | 'auditLog' | 'requestLog' | 'expensiveReads'> & {
  readonly authenticators: OperatorAuthenticators
  readonly drain: Drain
}

export function createContext(
  app: FastifyInstance,
  options: ServerOptions,
  { authenticators, drain, ...made }: Made,
): Omit<ServerContext, 'metrics'> {
  const { db, queue, settings, secretKey, connect = noConnectSettings, connectors = [] } = options
  const { credentials, operatorNames, authenticateOperator, marks } = authenticators
  const keyRing = createKeyRing(secretKey)
  const eventStreams = createEventStreams({ ...eventStreamBounds, ...options.eventStreams })
  // A stopping server waits for open responses.
  app.addHook('preClose', async () => eventStreams.close())
  const reached = createReadiness(canServe(options.readinessDb ?? db, keyRing), readinessBounds)
  return {
    ...made,
    ...{ db, registers: options.registers ?? db, queue, settings, keyRing, eventStreams },
    ...{ credentials, operatorNames, authenticateOperator, marks },
    openAnswers: createOpenAnswers(),
    delivery: { db, connectors, secretKey, crmRequests: createCrmRequests(), connect },
    intake: options.intake ?? passingIntake(app),
    readiness: async () => {
      refuseWhileDraining(drain)
      await reached()
    },
  }
}
