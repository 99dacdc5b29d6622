import { readExcludesPreferences } from '../../../access/contact-rules.ts'
import { operation } from '../../operation.ts'
import { ContactRules } from './profile-schemas.ts'

export default operation({
  id: 'getContactRules',
  method: 'GET',
  path: '/api/users/me/contact-rules',
  summary: 'Get your contact rules',
  description: 'They decide which contacts quotes, orders, reclaims and new leads leave out.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: ContactRules },
  example: {
    exclude_do_not_contact: false,
  },
  handle: async ({ db }, _request, { accountId }) => ({
    exclude_do_not_contact: await readExcludesPreferences(db, accountId),
  }),
})
