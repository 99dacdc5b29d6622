import { z } from 'zod'
import { nextCursor, placeOf } from '../../../audit/audit-log-cursor.ts'
import type { AuditLogFilter } from '../../../audit/audit-log-filter.ts'
import { auditLogState, readAuditLog } from '../../../audit/read-audit-log.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { inOrder, textFilter } from '../../parameters.ts'
import { kinds, pageOf, paging, shared } from './audit-schemas.ts'
import example from './list.example.json' with { type: 'json' }

const Row = z
  .object({
    id: z.number(),
    place: z.number().nullable().describe('Position in the chain, from 1'),
    ...shared,
    actor: shared.actor.describe('operator (at the command line), operator:<name>, system, anonymous or account:<id>'),
    account_id: uuid('ID of the account concerned').nullable(),
  })
  .meta({ id: 'AuditEntry' })

export default operation({
  id: 'listAuditLog',
  method: 'GET',
  path: '/admin/audit',
  summary: 'List the audit log',
  description:
    'Who did or read what, when, from where and why, without secrets; newest first unless sorted. `panji audit verify` proves that no row was changed or removed.',
  caller: { role: 'viewer' },
  audit: { reads: 'audit' },
  errors: ['UNPROCESSABLE'],
  query: z
    .object({
      kind: kinds.optional().describe('Only rows of this kind'),
      actor: textFilter('Who: operator (all of them), operator:<name>, system or account:<id>').meta({
        examples: ['operator'],
      }),
      action: textFilter('Verb and object, for example "suspend account"').meta({ examples: ['suspend account'] }),
      subject: textFilter('What was acted on, or a record that was shown: ID, CIN, DIN, GSTIN').meta({
        examples: [exampleIds.account],
      }),
      account: textFilter('ID of the account concerned').meta({ examples: [exampleIds.account] }),
      credential: textFilter('ID of an API key or operator').meta({ examples: ['environment'] }),
      address: textFilter('Address of the caller').meta({ examples: ['203.0.113.7'] }),
      ...paging,
    })
    .refine(...inOrder),
  reply: { 200: pageOf(Row) },
  example,
  handle: async ({ db, auditLog }, { query: { cursor, limit, sort, account, credential, ...filter } }) => {
    const behind = placeOf(cursor, sort)
    await auditLog.settle()
    if (account !== undefined && !isUuid(account)) return { data: [], limit, next_cursor: null }
    const conditions: AuditLogFilter = {
      ...filter,
      accountId: account,
      credentials: credential === undefined ? undefined : [credential],
    }
    const rows = await readAuditLog(db, conditions, { behind, limit, sort })
    return { data: rows.map(auditLogState), limit, next_cursor: nextCursor(rows, { limit, sort }) }
  },
})
