/** keep-books lets credits go whose end has come and earns the money of those that were spent. Repeated, it does nothing more. */
import { keepBooks } from '../src/orders/keep-books.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const keepBooksJob = defineJob(queues.keepBooks, async (_payload, { db }) => keepBooks(db))
