import { keyState, listApiKeys } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { ApiKeys } from './key-schemas.ts'
import example from './list.example.json' with { type: 'json' }

export default operation({
  id: 'listKeys',
  method: 'GET',
  path: '/api/keys',
  tag: 'Account',
  summary: 'Your API keys, the newest first',
  description: 'With scopes, last use and end; the keys themselves are shown only when they are made.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: ApiKeys },
  example,
  handle:
    ({ db }) =>
    async (request) => ({ data: (await listApiKeys(db, principalOf(request).accountId)).map(keyState) }),
})
