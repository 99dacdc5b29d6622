/** collect-words syncs the word indexes of a register (names and others) with its newest version. Idempotent. */
import { entityTypes } from '../src/domain/identity.ts'
import { collectNameWords } from '../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../src/ingest/after/word-counts.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const collectWordsJob = defineJob(queues.collectWords, async ({ entity }, { db, log }) => {
  let words = 0
  let held = 0
  for (const each of entity ? [entity] : entityTypes) {
    words += (await collectNameWords(db, each)).words
    held += (await collectHeldWords(db, each)).words
  }
  log.info({ entity, words, held }, 'words of the registers collected')
  return { words, held }
})
