import { z } from 'zod'
import { listOperators, operatorState } from '../../../access/manage-operators.ts'
import { operation } from '../../operation.ts'
import { Operator } from './operator-schemas.ts'

export default operation({
  id: 'listOperators',
  method: 'GET',
  path: '/admin/operators',
  tag: 'Operations',
  summary: 'Operators that are stored, living and revoked',
  description: 'For owners. Those of the environment stand there.',
  caller: { role: 'owner' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(Operator) }) },
  example: {
    data: [],
  },
  handle:
    ({ db }) =>
    async () => ({ data: (await listOperators(db)).map(operatorState) }),
})
