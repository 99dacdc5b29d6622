/**
 * lower-scope lowers the day as of which partitions count as complete, if it was set too late. An operator requests it
 * over HTTP; the request is in the audit log under the operator's name. Idempotent.
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
