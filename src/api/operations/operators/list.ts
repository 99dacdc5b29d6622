import { z } from 'zod'
import { listOperators, operatorState } from '../../../access/manage-operators.ts'
import { operation } from '../../operation.ts'
import { Operator } from './operator-schemas.ts'

export default operation({
  id: 'listOperators',
  method: 'GET',
  path: '/admin/operators',
  summary: 'List operators',
  description: 'For owners. Stored operators, active and revoked; those of the environment are managed there.',
  caller: { role: 'owner' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(Operator) }) },
  example: {
    data: [
      {
        name: 'operator-1',
        role: 'viewer',
        created_at: '2026-11-23T17:06:39.745Z',
        last_used_at: '2026-11-24T05:12:08.101Z',
        revoked_at: null,
      },
    ],
  },
  handle: async ({ db }) => ({ data: (await listOperators(db)).map(operatorState) }),
})
