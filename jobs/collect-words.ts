/** collect-words keeps the words of a register's names in step with its newest version. Repeated, it finds nothing new. */
import { collectNameWords } from '../src/ingest/name-words.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const collectWordsJob = defineJob(queues.collectWords, async ({ entity }, { db, log }) => {
  const collected = await collectNameWords(db, entity)
  log.info({ entity, ...collected }, 'words of names collected')
  return collected
})
