import { z } from 'zod'
import { operatorState, revokeOperator } from '../../../access/manage-operators.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { Operator } from './operator-schemas.ts'

export default operation({
  id: 'revokeOperator',
  method: 'DELETE',
  path: '/admin/operators/:name',
  summary: 'Revoke an operator',
  description: 'For owners. The token stops working with the next call.',
  caller: { role: 'owner' },
  audit: 'act',
  params: z.object({
    name: z
      .string()
      .max(100)
      .meta({ description: 'Name of the operator', examples: ['ravi'] }),
  }),
  body: noBody,
  reply: { 200: Operator },
  example: {
    name: 'operator-2',
    role: 'viewer',
    created_at: '2026-11-23T17:06:39.752Z',
    last_used_at: null,
    revoked_at: '2026-11-23T17:06:39.755Z',
  },
  handle: async ({ db }, request, actor) =>
    operatorState(await db.transaction((tx) => revokeOperator(tx, request.params.name, actor))),
})
