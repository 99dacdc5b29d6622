/**
 * settle-dead-letters does what an operator decided over HTTP about jobs that failed for good: runs them again, or drops
 * them. Repeated, it finds them gone.
 */

import { redriveWanted } from '../src/health/redrive-wanted.ts'
import { discardDeadLetters, stillDead } from '../src/queue/dead-letters.ts'
import { defineJob } from '../src/queue/define-job.ts'
import type { QueueHandle } from '../src/queue/queue.ts'
import { queues } from '../src/queue/queues.ts'

export const settleDeadLettersJob = ({ queue }: { readonly queue: QueueHandle }) =>
  defineJob(queues.settleDeadLetters, async ({ act, jobIds: decided }, { db, log }) => {
    const selection = { jobIds: await stillDead(db, decided) }
    if (act === 'discard') {
      const settled = await discardDeadLetters(db, queue, selection)
      log.info({ act, settled }, 'dead letters were settled')
      return { act, settled, left: [] }
    }
    const { redriven: settled, left } = await redriveWanted(db, queue, selection)
    log.info({ act, settled, left: left.length }, 'dead letters were settled')
    return { act, settled, left }
  })
