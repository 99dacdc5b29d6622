import { getAccount } from '../../../access/accounts.ts'
import { createApiKey, keyState } from '../../../access/manage-keys.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { CreatedKey, NewKeyBody, wishesOf } from '../keys/key-schemas.ts'
import example from './create.example.json' with { type: 'json' }

export default operation({
  id: 'createAccountKey',
  method: 'POST',
  path: '/admin/users/:id/keys',
  summary: 'Create an API key for an account',
  description: 'Has every scope by default. The key is shown only in this answer; an e-mail notifies the account.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  params: UserPath,
  body: NewKeyBody,
  reply: { 201: CreatedKey },
  example,
  handle: async ({ db }, request, actor) => {
    const by = { actor, scopes: keyScopes }
    const { record, apiKey } = await db.transaction(async (tx) => {
      const { accountId } = await getAccount(tx, request.params.id)
      return createApiKey(tx, accountId, by, wishesOf(request.body))
    })
    return { ...keyState(record), api_key: apiKey }
  },
})
