/**
 * seal-trail takes the rows of the trail into its chain and keeps the head outside the database: in the log and in a file.
 * Repeated, it finds nothing more. A chain that does not contain the head kept before is told of, and that head stays.
 */
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'
import { chainHead, headStands, sealTrail } from '../src/trail/chain.ts'
import { readHeadFile, writeHeadFile } from '../src/trail/head-file.ts'
import { keepProof, lastTrailProof } from '../src/trail/prove-trail.ts'

export const sealTrailJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.sealTrail, async (_payload, { db, log }) => {
    const sealed = await sealTrail(db)
    const kept = readHeadFile(dataDir)
    const head = await chainHead(db)
    if (kept && !(await headStands(db, kept))) {
      log.error({ kept, head }, 'the trail was cut or written anew: see `panji audit verify`')
      if ((await lastTrailProof(db))?.fault == null) await keepProof(db, { rows: head.seq, head, fault: 'cut' })
      return { sealed, broken: true }
    }
    if (head.seq > (kept?.seq ?? 0)) {
      writeHeadFile(dataDir, head)
      log.info({ ...head, sealed }, 'the trail was sealed')
    }
    return { sealed, broken: false }
  })
