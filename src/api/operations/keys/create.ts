import { createApiKey, keyState } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { actorOf } from '../sessions/listed-session.ts'
import example from './create.example.json' with { type: 'json' }
import { CreatedKey, NewKeyBody, wishesOf } from './key-schemas.ts'

export default operation({
  id: 'createKey',
  method: 'POST',
  path: '/api/keys',
  tag: 'Account',
  summary: 'Make another API key',
  description:
    'With the scope keys, and no more scopes than the key of this session has. It ends no later than that key, and is revoked ' +
    'with it. With replaces the old key goes on for a while and then ends. An e-mail tells you of it.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  body: NewKeyBody,
  reply: { 201: CreatedKey },
  example,
  handle:
    ({ db }) =>
    async (request) => {
      const principal = principalOf(request)
      const { record, apiKey } = await db.transaction((tx) =>
        createApiKey(tx, principal.accountId, actorOf(principal), wishesOf(request.body)),
      )
      return { ...keyState(record), api_key: apiKey }
    },
})
