import { getAccount } from '../../../access/accounts.ts'
import { revokeApiKey } from '../../../access/manage-keys.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { KeyPath, RevokedKey, revokedState } from '../keys/key-schemas.ts'
import example from './revoke.example.json' with { type: 'json' }

export default operation({
  id: 'revokeAccountKey',
  method: 'DELETE',
  path: '/admin/users/:id/keys/:prefix',
  summary: "Revoke an account's API key",
  description:
    'Also revokes the keys that it created and ends the sessions that they opened. Revoking twice is not an error.',
  caller: { role: 'operator' },
  audit: 'act',
  params: UserPath.extend(KeyPath.shape),
  body: noBody,
  reply: { 200: RevokedKey },
  example,
  handle: async ({ db }, request, actor) => {
    const by = { actor, scopes: keyScopes }
    const revoked = await db.transaction(async (tx) => {
      const { accountId } = await getAccount(tx, request.params.id)
      return revokeApiKey(tx, accountId, request.params.prefix, by)
    })
    return revokedState(revoked)
  },
})
