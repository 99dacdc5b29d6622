/**
 * settle-dead-letters carries out what an operator decided over HTTP about dead letters: redrive or discard them.
 * Idempotent.
 */

import { settleDeadLetters } from '../src/queue/dead-letters.ts'
import { defineJob } from '../src/queue/define-job.ts'
import type { QueueHandle } from '../src/queue/queue.ts'
import { queues } from '../src/queue/queues.ts'

export const settleDeadLettersJob = ({ queue }: { readonly queue: QueueHandle }) =>
  defineJob(queues.settleDeadLetters, async (decision, { db, log }) => {
    const settled = await settleDeadLetters(db, queue, decision)
    log.info({ act: decision.act, settled }, 'dead letters were settled')
    return { act: decision.act, settled }
  })
