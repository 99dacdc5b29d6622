import { z } from 'zod'
import { chooseMails } from '../../../notify/mails/mail-choice.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { events, Mails } from './mail-schemas.ts'

const MailsBody = z
  .strictObject({ events: events.describe('What you want to be told; empty: nothing') })
  .meta({ examples: [{ events: ['delivery.rejected', 'destination.broken'] }] })

export default operation({
  id: 'putMails',
  method: 'PUT',
  path: '/api/crm/mails',
  tag: 'CRM',
  summary: 'Choose what you are told by e-mail',
  description: 'What is not named is not sent any more, also what waits.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  body: MailsBody,
  reply: { 200: Mails },
  example: {
    to: 'customer1@example.com',
    events: ['delivery.rejected'],
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId, email } = principalOf(request)
      return { to: email, events: await chooseMails(db, accountId, request.body.events) }
    },
})
