/**
 * Acts of an account cost a daily budget of bytes, so that none fills the disk: the body, and at least what a row costs, for
 * each leaves a row in the audit log. Only operations that are declared as reading are free, what deletes, and what says that
 * it only ends something. What was refused is not given back: a refusal is written too.
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
  // One that reads keeps its answer where it takes an Idempotency-Key.
  return Boolean(idempotent) || (isAct(request) && request.method !== 'DELETE' && !ends)
}
