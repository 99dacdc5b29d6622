/**
 * verify-audit-log verifies the whole hash chain of the audit log against the head recorded in the data directory, and
 * stores the result. Idempotent.
 */

import { readHeadFile } from '../src/audit/head-file.ts'
import { proveAuditLog } from '../src/audit/prove-audit-log.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const verifyAuditLogJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.verifyAuditLog, async (_payload, { db, log }) => {
    const kept = readHeadFile(dataDir)
    const { rows, broken } = await proveAuditLog(db, kept ? [kept] : [])
    if (broken) log.error({ ...broken }, 'the audit log is broken: see `panji audit verify`')
    return { rows, broken: broken?.fault ?? null }
  })
