/** What follows from changed records, requested in the transaction that changes them. */
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'

/**
 * Standing orders and delivered leads depend on every source, if only through a description or a preference; the job
 * finds out whether any does.
 */
export async function requestEvaluation(tx: Tx, queue: JobSender, { feed }: Source, runId: number): Promise<void> {
  if (feed) await queue.send(tx, queues.collectWords, { entity: feed.dataset })
  await queue.send(tx, queues.evaluateImport, { runId, ...(feed && { entity: feed.dataset }) })
}
