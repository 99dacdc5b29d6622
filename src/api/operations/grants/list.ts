import { z } from 'zod'
import { listGrants } from '../../../access/grants.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import grant from './create.example.json' with { type: 'json' }
import { Grant, grantReply } from './grant-schemas.ts'

export default operation({
  id: 'listAccountGrants',
  method: 'GET',
  path: '/admin/users/:id/grants',
  summary: "List an account's grants",
  description: 'Newest first, including those that ended. The account may read the union of those in force.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: z.object({ data: z.array(Grant) }) },
  example: {
    data: [grant],
  },
  handle: async ({ db }, request) => ({ data: (await listGrants(db, request.params.id)).map(grantReply) }),
})
