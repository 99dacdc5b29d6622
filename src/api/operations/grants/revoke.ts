import { revokeGrant } from '../../../access/grants.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { Grant, grantReply } from './grant-schemas.ts'
import example from './revoke.example.json' with { type: 'json' }

const GrantPath = UserPath.extend({
  grant_id: uuid('ID of a grant of the account').meta({ examples: ['3f0a4b7e-6c1d-4b52-9f53-0d2c7a1e8b90'] }),
})

export default operation({
  id: 'revokeGrant',
  method: 'DELETE',
  path: '/admin/users/:id/grants/:grant_id',
  summary: 'End a grant at once',
  description:
    'GET /api/access shows it to the account. A grant that has ended stays as it is; revoking twice is not an error.',
  caller: { role: 'operator' },
  audit: 'act',
  params: GrantPath,
  body: noBody,
  reply: { 200: Grant },
  example,
  handle: async ({ db }, request, actor) => {
    const { id, grant_id } = request.params
    return grantReply(await db.transaction((tx) => revokeGrant(tx, id, grant_id, actor)))
  },
})
