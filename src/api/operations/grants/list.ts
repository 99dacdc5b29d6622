import { z } from 'zod'
import { listGrants } from '../../../access/grants.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import grant from './create.example.json' with { type: 'json' }
import { Grant, told } from './grant-schemas.ts'

export default operation({
  id: 'listAccountGrants',
  method: 'GET',
  path: '/admin/users/:id/grants',
  tag: 'Operations',
  summary: "An account's grants, the newest first",
  description: 'Those that ended too. What is in force opens its union.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: z.object({ data: z.array(Grant) }) },
  example: {
    data: [grant],
  },
  handle:
    ({ db }) =>
    async (request) => ({ data: (await listGrants(db, request.params.id)).map(told) }),
})
