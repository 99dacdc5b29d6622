import { revokeApiKey } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { KeyPath, RevokedKey, revokedState } from './key-schemas.ts'
import example from './revoke.example.json' with { type: 'json' }

export default operation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/api/keys/:prefix',
  summary: 'Revoke an API key',
  description:
    'Also revokes the keys that it created and ends the sessions that they opened, including this one where it is their own. Revoking twice is not an error.',
  caller: { scopes: [], atLeast: 'admin' },
  audit: 'act',
  params: KeyPath,
  body: noBody,
  reply: { 200: RevokedKey },
  example,
  handle: async ({ db }, request, principal) => {
    return revokedState(
      await db.transaction((tx) => revokeApiKey(tx, principal.accountId, request.params.prefix, actorOf(principal))),
    )
  },
})
