/**
 * Keeps a page of a feed within the day's record budget: records are reserved before it is read, and the answer says
 * what is left.
 */
import type { FastifyReply } from 'fastify'
import { createRecordReturns, reserveRecords } from '../../../access/record-budget.ts'
import type { Queryable } from '../../../db/db.ts'
import type { BudgetReading } from '../../../limits/daily-budget.ts'
import { setRecordBudget } from '../../hooks/response-headers.ts'
import type { Principal } from '../../route-context.ts'

interface Reservation {
  /** null until the records are reserved. */
  readonly reserved: BudgetReading | null
  readonly records: number
}

type Answering<A> = (reserve: () => Promise<void>) => Promise<A>

/**
 * Reserved records that are not returned are released, all of them where the call fails. The handler calls `reserve`
 * once nothing else can fail the call, before it reads. @throws AppError RATE_LIMITED
 */
export function recordsWithin(db: Queryable) {
  const giveBack = createRecordReturns(db)
  return async <A extends { readonly data: readonly unknown[] }>(
    principal: Principal,
    reply: FastifyReply,
    { reserved, records }: Reservation,
    answer: Answering<A>,
  ): Promise<A> => {
    let held = reserved
    let returned = 0
    try {
      const answered = await answer(async () => {
        held ??= await reserveRecords(db, principal, records)
      })
      returned = answered.data.length
      return answered
    } finally {
      // What an operator views is not the account's usage.
      const used = principal.viewer ? 0 : returned
      if (held) setRecordBudget(reply, await giveBack(principal, held, records - used))
    }
  }
}
