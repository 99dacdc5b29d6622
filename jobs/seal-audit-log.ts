/**
 * seal-audit-log adds new rows of the audit log to its hash chain and records the head outside the database: in the log
 * and in a file. If the chain does not contain the recorded head, it logs an error and keeps that head. Idempotent.
 */

import { chainHead, headStands, sealAuditLog } from '../src/audit/chain.ts'
import { readHeadFile, writeHeadFile } from '../src/audit/head-file.ts'
import { keepProof, lastAuditLogProof } from '../src/audit/prove-audit-log.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const sealAuditLogJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.sealAuditLog, async (_payload, { db, log }) => {
    const sealed = await sealAuditLog(db)
    const kept = readHeadFile(dataDir)
    const head = await chainHead(db)
    if (kept && !(await headStands(db, kept))) {
      log.error({ kept, head }, 'the audit log was truncated or rewritten: see `panji audit verify`')
      if ((await lastAuditLogProof(db))?.fault == null) await keepProof(db, { rows: head.seq, head, fault: 'cut' })
      return { sealed, broken: true }
    }
    if (head.seq > (kept?.seq ?? 0)) {
      writeHeadFile(dataDir, head)
      log.info({ ...head, sealed }, 'the audit log was sealed')
    }
    return { sealed, broken: false }
  })
