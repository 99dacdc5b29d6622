/** sweep-expired deletes what has no more use: ended sessions, old idempotency keys, usage, login failures, old history. */
import { retention } from '../config/retention.ts'
import { sweepExpired } from '../src/access/sweep-expired.ts'
import { keepHistoryYears } from '../src/ingest/after/prune-history.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const sweepExpiredJob = defineJob(queues.sweepExpired, async (_payload, { db }) => ({
  ...(await sweepExpired(db)),
  historyChanges: await keepHistoryYears(db, retention.historyYears),
}))
