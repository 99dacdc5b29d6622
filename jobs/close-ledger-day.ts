/** close-ledger-day expires credits that reached their end and recognizes the revenue of those spent. Idempotent. */
import { closeLedgerDay } from '../src/orders/close-ledger-day.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const closeLedgerDayJob = defineJob(queues.closeLedgerDay, async (_payload, { db }) => closeLedgerDay(db))
