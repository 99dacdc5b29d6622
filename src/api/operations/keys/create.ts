import { createApiKey, keyState } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import example from './create.example.json' with { type: 'json' }
import { CreatedKey, NewKeyBody, wishesOf } from './key-schemas.ts'

export default operation({
  id: 'createKey',
  method: 'POST',
  path: '/api/keys',
  summary: 'Create another API key',
  description:
    'Needs the scope keys, and gives no more scopes than the key of this session has. The new key expires no later than that key and is revoked ' +
    'with it. With replaces, the old key keeps working for a while and then ends; it no longer counts towards the quota, so a key can always be ' +
    'replaced: with overlap_hours 0 also where as many replaced keys still work as your plan allows. An e-mail notifies you.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  body: NewKeyBody,
  reply: { 201: CreatedKey },
  example,
  handle: async ({ db }, request, principal) => {
    const { record, apiKey } = await db.transaction((tx) =>
      createApiKey(tx, principal.accountId, actorOf(principal), wishesOf(request.body)),
    )
    return { ...keyState(record), api_key: apiKey }
  },
})
