import { revisionOf } from '../../../db/revision.ts'
import { wantedMails } from '../../../notify/mails/mail-choice.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { Mails } from './mail-schemas.ts'

export default operation({
  id: 'getMails',
  method: 'GET',
  path: '/api/crm/mails',
  tag: 'CRM',
  summary: 'Get your e-mail notifications',
  description: "Sent to the account's own address, where the operator has configured e-mail; every event by default.",
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: Mails },
  example: {
    to: 'customer1@example.com',
    events: ['order.delivered'],
    revision: '7c6b1de04a2f9358',
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId, email } = principalOf(request)
      const events = await wantedMails(db, accountId)
      return { to: email, events, revision: revisionOf(events) }
    },
})
