/** Registers every operation behind its authentication: the account's, the operator's, the scraper's, or none. */
import type { FastifyInstance } from 'fastify'
import { planLimits } from '../access/admission.ts'
import { accountDb } from '../db/account-scope.ts'
import type { BodyAllowance } from './body-allowance.ts'
import { addAuditLog } from './hooks/audit-log.ts'
import { addAuthentication } from './hooks/authentication.ts'
import { addEtags } from './hooks/etag.ts'
import { addIdempotency } from './hooks/idempotency.ts'
import { refuseUnknownParameters } from './hooks/known-parameters.ts'
import { readLargeBodiesInTurn } from './hooks/large-bodies.ts'
import { addOperatorCheck } from './hooks/operator.ts'
import { addWriteBudget } from './hooks/write-budget.ts'
import { operationsOf } from './operations/index.ts'
import type { OperatorAuthenticators } from './operator-authenticators.ts'
import { paymentRoutes } from './payment-notices.ts'
import { registerOperations } from './register-operations.ts'
import type { ServerContext } from './server-context.ts'
import type { ServerOptions } from './server-options.ts'

interface Guards {
  readonly bodies: BodyAllowance
  readonly authenticators: OperatorAuthenticators
}

export async function addOperations(
  app: FastifyInstance,
  context: ServerContext,
  options: ServerOptions,
  { bodies, authenticators }: Guards,
): Promise<void> {
  const { db, auditLog, settings } = context
  const audited = (scope: FastifyInstance) => {
    addAuditLog(scope, db, auditLog)
    refuseUnknownParameters(scope)
  }
  registerOperations(app, operationsOf('probes'), () => context)
  await app.register(async (developer) => {
    addAuthentication(developer, context, options.limits ?? planLimits)
    bodies.addTo(developer)
    readLargeBodiesInTurn(developer)
    audited(developer)
    addWriteBudget(developer, db)
    addIdempotency(developer, db, options.secretKey)
    addEtags(developer)
    const own = accountDb(db)
    const walled: ServerContext = { ...context, db: own, delivery: { ...context.delivery, db: own } }
    registerOperations(developer, operationsOf('developer'), ({ seesAll }) => (seesAll ? context : walled))
    for (const routes of options.extraRoutes ?? []) await developer.register(routes, walled)
  })
  await app.register(async (admin) => {
    addOperatorCheck(admin, authenticators.authenticateOperator, authenticators.readSession)
    audited(admin)
    registerOperations(admin, operationsOf('operator'), () => context)
  })
  await app.register(async (entrance) => {
    audited(entrance)
    registerOperations(entrance, operationsOf('entrance'), () => context)
  })
  const { payments } = settings
  if (payments) {
    await app.register(async (paid) => {
      addAuditLog(paid, db, auditLog)
      await paid.register(paymentRoutes(payments), context)
    })
  }
  await app.register(async (scraped) => {
    addOperatorCheck(scraped, authenticators.ofScraper)
    registerOperations(scraped, operationsOf('metrics'), () => context)
  })
}
