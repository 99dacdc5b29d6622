/** A page of a feed within the day's budget of records: those that were reserved go in, what is left of it goes out with the answer. */
import type { FastifyReply } from 'fastify'
import { createRecordReturns, reserveRecords } from '../../../access/record-budget.ts'
import type { Queryable } from '../../../db/db.ts'
import type { BudgetReading } from '../../../limits/daily-budget.ts'
import { setRecordBudget } from '../../hooks/response-headers.ts'
import type { Principal } from '../../route-context.ts'

interface Reservation {
  /** Null where the records are still to be taken. */
  readonly reserved: BudgetReading | null
  readonly records: number
}

type Answering<A> = (reserve: () => Promise<void>) => Promise<A>

/**
 * What of the reserved records is not returned goes back, all of it where the call is refused. The answer calls `reserve` when
 * nothing is left to refuse it for, before it reads. @throws AppError RATE_LIMITED
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
      // What an operator looks at is not the account's use.
      const used = principal.viewer ? 0 : returned
      if (held) setRecordBudget(reply, await giveBack(principal, held, records - used))
    }
  }
}
