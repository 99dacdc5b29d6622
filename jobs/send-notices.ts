/**
 * send-notices sends events about deliveries to accounts' webhooks. Safe to run concurrently: each event is claimed by
 * one worker.
 */
import { type NoticeParts, noticesAreDue, sendNotices } from '../src/notify/webhooks/send-notices.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

export function sendNoticesJob(options: Omit<NoticeParts, 'db'>): Job<typeof queues.sendNotices> {
  return defineJob(queues.sendNotices, async (_payload, { db, signal }) => sendNotices({ ...options, db }, signal), {
    everyMs: checkEveryMs,
    async check(db, queue) {
      if (await noticesAreDue(db)) await queue.send(db, queues.sendNotices, {})
    },
  })
}
