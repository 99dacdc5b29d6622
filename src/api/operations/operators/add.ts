import { z } from 'zod'
import { addOperator, operatorState } from '../../../access/manage-operators.ts'
import { operatorRoles } from '../../../domain/operator-role.ts'
import { operation } from '../../operation.ts'
import { Operator } from './operator-schemas.ts'

export default operation({
  id: 'addOperator',
  method: 'POST',
  path: '/admin/operators',
  summary: 'Add an operator',
  description: 'For owners. A viewer reads, an operator also acts, an owner also manages operators.',
  caller: { role: 'owner' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'CONFLICT'],
  body: z
    .strictObject({
      name: z.string().max(40).describe('Lower-case letters, digits and . _ -; appears in the audit log'),
      role: z.enum(operatorRoles).describe('viewer, operator or owner'),
    })
    .meta({ examples: [{ name: 'ravi', role: 'viewer' }] }),
  reply: {
    201: Operator.extend({ token: z.string().describe('Shown only now') }).meta({ id: 'CreatedOperator' }),
  },
  example: {
    name: 'operator-1',
    role: 'viewer',
    created_at: '2026-11-23T17:06:39.745Z',
    last_used_at: null,
    revoked_at: null,
    token: 'panji_op_…',
  },
  handle: async ({ db, operatorNames }, request, actor) => {
    const input = { ...request.body, namesTaken: operatorNames, actor }
    const { record, token } = await db.transaction((tx) => addOperator(tx, input))
    return { ...operatorState(record), token }
  },
})
