/**
 * run-schedule enqueues a schedule's job outside its slots. May run more than once, as may the job that it enqueues.
 */
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { readSchedule } from '../src/queue/schedule/schedules.ts'
import { runScheduleNow } from '../src/queue/schedule/slot.ts'

export const runScheduleJob = defineJob(queues.runSchedule, async ({ name }, { db, queue }) =>
  db.transaction(async (tx) => ({ name, jobId: await runScheduleNow(tx, queue, await readSchedule(tx, name)) })),
)
