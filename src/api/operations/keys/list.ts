import { keyState, listApiKeys } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { ApiKeys } from './key-schemas.ts'
import example from './list.example.json' with { type: 'json' }

export default operation({
  id: 'listKeys',
  method: 'GET',
  path: '/api/keys',
  summary: 'List your API keys',
  description:
    'With scopes, last use and expiry, newest first; the keys themselves are shown only when they are created.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: ApiKeys },
  example,
  handle: async ({ db }, _request, { accountId }) => ({ data: (await listApiKeys(db, accountId)).map(keyState) }),
})
