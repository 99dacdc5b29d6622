import { readExcludesPreferences } from '../../../access/contact-rules.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { ContactRules } from './profile-schemas.ts'

export default operation({
  id: 'getContactRules',
  method: 'GET',
  path: '/api/users/me/contact-rules',
  tag: 'Account',
  summary: 'Which contacts your quotes and orders leave out',
  description: 'Quotes, orders, reclaims and the leads that are built go by them.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: ContactRules },
  example: {
    exclude_do_not_contact: false,
  },
  handle:
    ({ db }) =>
    async (request) => ({
      exclude_do_not_contact: await readExcludesPreferences(db, principalOf(request).accountId),
    }),
})
