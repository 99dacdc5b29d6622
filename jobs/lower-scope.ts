/**
 * lower-scope takes a day back that was too late, as an operator asked over HTTP: the request stands in the audit log under the
 * operator's name. Repeated, it finds nothing more to lower.
 */

import { audit } from '../src/audit/audit.ts'
import { lowerScopes } from '../src/ingest/conduct/lower-scopes.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const lowerScopeJob = defineJob(queues.lowerScope, async ({ source, to, scopes, reason, by }, { db, log }) => {
  const lowered = await db.transaction(async (tx) => {
    const done = await lowerScopes(tx, { source, to, scopes })
    const detail = { ...done, reason, askedBy: by }
    await audit(tx, { actor: 'system', action: 'lower scope', subject: source, detail })
    return done
  })
  log.info({ source, to, records: lowered.records, changes: lowered.changes }, 'a day was lowered')
  return { ...lowered }
})
