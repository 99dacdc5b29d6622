import { z } from 'zod'
import { nextCursor, placeOf } from '../../../audit/audit-log-cursor.ts'
import { ownAuditLogState, readAuditLog } from '../../../audit/read-audit-log.ts'
import { operation } from '../../operation.ts'
import { inOrder } from '../../parameters.ts'
import { kinds, pageOf, paging, shared } from './audit-schemas.ts'
import example from './list-own.example.json' with { type: 'json' }

const OwnRow = z
  .object({ ...shared, actor: shared.actor.describe('you, operator or system') })
  .meta({ id: 'OwnAuditEntry' })

export default operation({
  id: 'listOwnAudit',
  method: 'GET',
  path: '/api/audit',
  summary: 'List what was done with your account',
  description:
    'Logins and refusals, keys, orders, every record that was read, and what operators did: when, with which key, from which address. Newest first unless sorted; kept for at least a year.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  errors: ['UNPROCESSABLE'],
  query: z.object({ kind: kinds.optional().describe('Only rows of this kind'), ...paging }).refine(...inOrder),
  reply: { 200: pageOf(OwnRow) },
  example,
  handle: async ({ db, auditLog }, request, { accountId }) => {
    const { cursor, limit, sort, ...filter } = request.query
    const behind = placeOf(cursor, sort)
    await auditLog.settle()
    const own = { ...filter, accountId }
    const rows = await readAuditLog(db, own, { behind, limit, sort })
    return { data: rows.map(ownAuditLogState), limit, next_cursor: nextCursor(rows, { limit, sort }) }
  },
})
