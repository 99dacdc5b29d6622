import { setExcludesPreferences } from '../../../access/contact-rules.ts'
import { operation } from '../../operation.ts'
import { ContactRules } from './profile-schemas.ts'

export default operation({
  id: 'setContactRules',
  method: 'PUT',
  path: '/api/users/me/contact-rules',
  summary: 'Set your contact rules',
  description:
    'With `exclude_do_not_contact`, an address or number whose owner asked not to be contacted does not count as a contact: ' +
    'it is in no lead, and a record without another costs nothing. Existing leads do not change.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  body: ContactRules,
  reply: { 200: ContactRules },
  example: {
    exclude_do_not_contact: true,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { exclude_do_not_contact } = request.body
    await setExcludesPreferences(db, accountId, exclude_do_not_contact)
    return { exclude_do_not_contact }
  },
})
