import { type Actor, audit } from '../../../audit/audit.ts'
import type { Tx } from '../../../db/db.ts'
import { reasonText } from '../../parameters.ts'

export const reason = reasonText('Recorded in the audit log and the run').optional()

export const noted =
  (actor: Actor, action: string, runId: number, detail: Readonly<Record<string, unknown>> = {}) =>
  (tx: Tx): Promise<void> =>
    audit(tx, { actor, action, subject: String(runId), detail })
