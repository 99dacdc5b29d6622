/**
 * verify-trail follows the chain of the trail from its first row to its last, against the head that the data directory keeps,
 * and keeps what it found. Repeated, it finds the same.
 */
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { readHeadFile } from '../src/trail/head-file.ts'
import { proveTrail } from '../src/trail/prove-trail.ts'

export const verifyTrailJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.verifyTrail, async (_payload, { db, log }) => {
    const kept = readHeadFile(dataDir)
    const { rows, broken } = await proveTrail(db, kept ? [kept] : [])
    if (broken) log.error({ ...broken }, 'the trail is broken: see `panji audit verify`')
    return { rows, broken: broken?.fault ?? null }
  })
