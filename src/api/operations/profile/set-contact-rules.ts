import { setExcludesPreferences } from '../../../access/contact-rules.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { ContactRules } from './profile-schemas.ts'

export default operation({
  id: 'setContactRules',
  method: 'PUT',
  path: '/api/users/me/contact-rules',
  tag: 'Account',
  summary: 'Choose which contacts your quotes and orders leave out',
  description:
    'With `exclude_do_not_contact` an address or number whose owner asked not to be contacted is no contact for you: ' +
    'it is in no lead, and a record without another costs nothing. Leads that were built stay as they are.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  body: ContactRules,
  reply: { 200: ContactRules },
  example: {
    exclude_do_not_contact: true,
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { exclude_do_not_contact } = request.body
      await setExcludesPreferences(db, principalOf(request).accountId, exclude_do_not_contact)
      return { exclude_do_not_contact }
    },
})
