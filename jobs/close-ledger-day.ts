/** close-ledger-day lets credits go whose end has come and earns the money of those that were spent. Repeated, it does nothing more. */
import { closeLedgerDay } from '../src/orders/close-ledger-day.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const closeLedgerDayJob = defineJob(queues.closeLedgerDay, async (_payload, { db }) => closeLedgerDay(db))
