/**
 * Doctor's check of the audit log: the chain must contain the head stored in this data directory. `panji audit verify`
 * checks all of it.
 */
import { chainHead, headStands } from '../../audit/chain.ts'
import { readHeadFile } from '../../audit/head-file.ts'
import { lastAuditLogProof } from '../../audit/prove-audit-log.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CliSettings } from '../settings.ts'

export async function auditLogIsWhole(
  { db }: OpenInstance,
  { dataDir }: CliSettings,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const kept = readHeadFile(dataDir)
  const head = await chainHead(db)
  if (kept && !(await headStands(db, kept))) {
    return {
      ok: false,
      detail: `it was truncated or rewritten: position ${kept.seq} has changed; see \`panji audit verify\``,
    }
  }
  const proof = await lastAuditLogProof(db)
  if (proof?.fault != null) {
    return {
      ok: false,
      detail: `the verification of ${shownInstant(proof.provedAt)} found it broken (${proof.fault}); see \`panji audit verify\``,
    }
  }
  return {
    ok: true,
    detail: `${head.seq} rows in the chain${kept ? '' : '; no head is stored in this data directory yet'}`,
  }
}
