/** reconcile-payments asks the processor for what no notice told of. Repeated, it settles nothing twice. */
import type { PaymentProcessor } from '../src/orders/payments/processor.ts'
import { type ReconcileParts, reconcilePayments } from '../src/orders/payments/reconcile.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

/** The role that trades suspends no account: a dispute that was told before its payment waits for an operator to ask for that. */
export const processorOfJobs = (processor: PaymentProcessor): PaymentProcessor => ({
  ...processor,
  readAgain(told) {
    const event = processor.readAgain(told)
    return event?.kind === 'disputed' ? undefined : event
  },
})

/** Settling sells credits, which the role of the other jobs may not: `db` is of the role that trades. Undefined where no processor is set. */
export interface PaymentJobOptions {
  readonly payments?: Pick<ReconcileParts, 'db' | 'processor'> | undefined
}

export const reconcilePaymentsJob = ({ payments }: PaymentJobOptions) =>
  defineJob(queues.reconcilePayments, async (_payload, { queue }) =>
    payments ? reconcilePayments({ ...payments, processor: processorOfJobs(payments.processor), queue }) : undefined,
  )
