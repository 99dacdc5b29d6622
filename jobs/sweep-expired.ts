/** sweep-expired deletes what has no more use: ended sessions, old idempotency keys, usage and login failures. */
import { sweepExpired } from '../src/access/sweep-expired.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const sweepExpiredJob = defineJob(queues.sweepExpired, async (_payload, { db }) => sweepExpired(db))
