/** reconcile-payments asks the processor for events that no webhook reported. Idempotent. */
import type { PaymentProcessor } from '../src/orders/payments/processor.ts'
import { type ReconcileParts, reconcilePayments } from '../src/orders/payments/reconcile.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** The trading role may not suspend accounts: a dispute reported before its payment waits for an operator. */
export const processorOfJobs = (processor: PaymentProcessor): PaymentProcessor => ({
  ...processor,
  readAgain(stored) {
    const event = processor.readAgain(stored)
    return event?.kind === 'disputed' ? undefined : event
  },
})

/**
 * Settling sells credits, which the other jobs' role may not: `db` has the trading role. Undefined without a processor.
 */
export interface PaymentJobOptions {
  readonly payments?: Pick<ReconcileParts, 'db' | 'processor'> | undefined
}

export const reconcilePaymentsJob = ({ payments }: PaymentJobOptions) =>
  defineJob(queues.reconcilePayments, async (_payload, { queue }) =>
    payments ? reconcilePayments({ ...payments, processor: processorOfJobs(payments.processor), queue }) : undefined,
  )
