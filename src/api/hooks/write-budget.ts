/**
 * Acts of an account cost a daily byte budget, so that none fills the disk: the body, and at least the size of a row,
 * because each writes a row into the audit log. Free are only operations that are declared as reads, deletes, and those
 * that only end something. The cost of a refused call is not returned, because a refusal is written too.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { writtenBytesMin } from '../../../config/plans.ts'
import type { Db } from '../../db/db.ts'
import { spendBudget } from '../../limits/daily-budget.ts'
import { isAct } from './audit-log.ts'

export function addWriteBudget(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', async (request) => {
    if (request.principal === null || !stores(request)) return
    const bytes = Buffer.byteLength(JSON.stringify(request.body ?? null))
    await spendBudget(db, request.principal, 'writtenBytes', Math.max(bytes, writtenBytesMin))
  })
}

function stores(request: FastifyRequest): boolean {
  const { idempotent, ends } = request.routeOptions.config
  // A read stores its response where it accepts an Idempotency-Key.
  return Boolean(idempotent) || (isAct(request) && request.method !== 'DELETE' && !ends)
}
