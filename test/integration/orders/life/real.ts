/** The account that lives, the processor that its money comes from, and how a step is taken: to its end, or killed on the way first. */
import type fc from 'fast-check'
import { expect } from 'vitest'
import { sampleSeller } from '../../../../config/seller.ts'
import type { Db, Tx } from '../../../../src/db/db.ts'
import type { PaymentProcessor } from '../../../../src/orders/payments/processor.ts'
import { recordJobs } from '../../../support/api.ts'
import type { TestDatabase } from '../../../support/database.ts'
import { mortal } from '../../../support/mortal-db.ts'
import { compare } from './compare.ts'
import { creditPaise, type Model, type Payment, type Refund } from './model.ts'

export interface Real {
  readonly database: TestDatabase
  readonly accountId: string
  readonly processor: PaymentProcessor
  /** Serial of the first of the records that it may order. */
  readonly first: number
}
export type Step = fc.AsyncCommand<Model, Real>

export const queue = recordJobs()
export const eventOrigin = { provider: 'model', seller: sampleSeller, source: 'webhook' as const }

/** A step that runs where the model lets it, and then compares. */
export const step = (name: string, run: (model: Model, real: Real) => Promise<unknown>): Step => ({
  check: () => true,
  run: async (model, real) => {
    model.moves += 1
    await run(model, real)
    await compare(model, real)
  },
  toString: () => name,
})

/**
 * Acts; told to die at a statement, it first dies there, after which nothing has happened, and then acts again. An act that has
 * fewer statements has acted the first time.
 */
export async function act<T>(
  { model, real, dies }: { readonly model: Model; readonly real: Real; readonly dies: number | null },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { db } = real.database
  if (dies === null) return work(db)
  const { db: dying, died } = mortal(db, dies)
  try {
    return await work(dying)
  } catch (error) {
    if (!died()) throw error
  }
  await compare(model, real)
  return work(db)
}
export const within =
  <T>(work: (tx: Tx) => Promise<T>) =>
  (db: Db): Promise<T> =>
    db.transaction(work)

export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]
export const refused = (promise: Promise<unknown>, code: string): Promise<void> =>
  expect(promise).rejects.toMatchObject({ code })

export const noticeOf = ({ paymentId, paymentOrder: paymentOrderId, amount }: Payment) => ({
  ...{ paymentId, paymentOrderId, amount, currency: 'INR', fee: 0, feeTax: 0 },
})
export const refundNoticeOf = ({ paymentId }: Payment, { id, amount, isChargeback }: Refund) => ({
  ...{ refundId: id, paymentId, amount, currency: 'INR' },
  cause: isChargeback ? ('chargeback' as const) : ('refund' as const),
})

/** Knows what was paid and given back, and tells of it when it is asked; of chargebacks it tells by itself alone. */
export function processorOf(model: Model): PaymentProcessor {
  let orders = 0
  return {
    provider: 'model',
    creditPaise,
    seller: sampleSeller,
    begin: async ({ orderId, amount }) => ({
      ...{ provider: 'model', id: `order_${orderId}_${++orders}`, amount, currency: 'INR', key_id: 'key' },
    }),
    readEvent: () => ({ name: 'other', kind: 'other' }),
    readAgain: () => undefined,
    listPaymentsFor: async (id) =>
      model.payments.filter(({ isPaid, paymentOrder }) => isPaid && paymentOrder === id).map(noticeOf),
    refundsOf: async (id) =>
      model.payments
        .filter(({ paymentId }) => paymentId === id)
        .flatMap((payment) =>
          payment.refunds
            .filter(({ isChargeback }) => !isChargeback)
            .map((refund) => ({ ...refundNoticeOf(payment, refund), state: 'made' as const })),
        ),
    refund: async () => undefined,
  }
}
