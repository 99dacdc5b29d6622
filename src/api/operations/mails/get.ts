import { revisionOf } from '../../../db/revision.ts'
import { readAccountAddress } from '../../../notify/mails/account-address.ts'
import { wantedMails } from '../../../notify/mails/mail-choice.ts'
import { operation } from '../../operation.ts'
import { Mails } from './mail-schemas.ts'

export default operation({
  id: 'getMails',
  method: 'GET',
  path: '/api/crm/mails',
  summary: 'Get your e-mail notifications',
  description:
    "Every event by default, where the operator has configured e-mail. They go to the account's own address or, once nobody on its team has " +
    'that one, to the admin who joined first.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: Mails },
  example: {
    to: 'customer1@example.com',
    events: ['order.delivered'],
    revision: '7c6b1de04a2f9358',
  },
  handle: async ({ db }, _request, { accountId }) => {
    const events = await wantedMails(db, accountId)
    return { to: await readAccountAddress(db, accountId), events, revision: revisionOf(events) }
  },
})
