/**
 * evaluate-import evaluates every standing order for the records that an import changed, and marks those that
 * destinations keep fresh. Idempotent.
 */
import { markChanged } from '../src/deliver/fresh/mark-changed.ts'
import { collectNameWords } from '../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../src/ingest/after/word-counts.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { evaluateImport } from '../src/standing/evaluate-import.ts'
import { withdrawUndone } from '../src/standing/withdraw-undone.ts'

export const evaluateImportJob = defineJob(queues.evaluateImport, async ({ runId, entity }, { db, queue, log }) => {
  // Queries over names only find words that have been collected.
  if (entity) {
    await collectNameWords(db, entity)
    await collectHeldWords(db, entity)
  }
  const marked = await markChanged(db, runId)
  const evaluated = await evaluateImport(db, runId)
  const withdrawn = await withdrawUndone(db, queue, runId)
  const counts = { ...evaluated, ...withdrawn, marked }
  log.info({ run: runId, ...counts }, 'an import was evaluated')
  return counts
})
