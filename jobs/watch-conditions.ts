/** watch-conditions records the conditions of the instance and queues alerts for operators. Idempotent. */
import { type WatchParts, watchConditions } from '../src/health/watch-conditions.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const watchConditionsJob = (options: Omit<WatchParts, 'db'>) =>
  defineJob(queues.watchConditions, (_payload, { db }) => watchConditions({ ...options, db }))
