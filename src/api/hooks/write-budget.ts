/**
 * Requests that store something cost a daily budget of bytes, so that no account fills the disk: the body, and at least
 * what a row costs. They are those that take an Idempotency-Key, changes of what is
 * stored, and those that say that they store; deleting is free.
 * What was refused is not given back: a refusal is written too.
 */
import type { FastifyInstance } from 'fastify'
import { writtenBytesMin } from '../../../config/plans.ts'
import type { Db } from '../../db/db.ts'
import { spendBudget } from '../../quotas/daily-budget.ts'
import { principalOf } from '../route-context.ts'

export function addWriteBudget(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', async (request) => {
    const { idempotent, stores } = request.routeOptions.config
    if (!idempotent && !stores && request.method !== 'PUT' && request.method !== 'PATCH') return
    const bytes = Buffer.byteLength(JSON.stringify(request.body ?? null))
    await spendBudget(db, principalOf(request), 'writtenBytes', Math.max(bytes, writtenBytesMin))
  })
}
