/** Doctor's look at the audit log: the chain must contain the head that this data directory keeps. The whole is `panji audit verify`. */
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
      detail: `it was cut or written anew: place ${kept.seq} is not what it was; see \`panji audit verify\``,
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
    detail: `${head.seq} rows in the chain${kept ? '' : '; no head is kept in this data directory yet'}`,
  }
}
