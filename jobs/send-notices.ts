/** send-notices tells accounts' webhooks what happened to their deliveries. It may run at once in many workers: a notice is taken once. */
import { type NoticeParts, noticesAreDue, sendNotices } from '../src/notify/webhooks/send-notices.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const lookEveryMs = 2_000

export function sendNoticesJob(options: Omit<NoticeParts, 'db'>): Job<typeof queues.sendNotices> {
  return defineJob(queues.sendNotices, async (_payload, { db, signal }) => sendNotices({ ...options, db }, signal), {
    everyMs: lookEveryMs,
    async look(db, queue) {
      if (await noticesAreDue(db)) await queue.send(db, queues.sendNotices, {})
    },
  })
}
