import { z } from 'zod'
import { revisionOf } from '../../../db/revision.ts'
import { readAccountAddress } from '../../../notify/mails/account-address.ts'
import { chooseMails } from '../../../notify/mails/mail-choice.ts'
import { operation } from '../../operation.ts'
import { revisionRead } from '../../parameters.ts'
import { events, Mails } from './mail-schemas.ts'

const MailsBody = z
  .strictObject({ events: events.describe('Events to notify you of; empty: none'), revision: revisionRead })
  .meta({ examples: [{ events: ['delivery.rejected', 'destination.broken'] }] })

export default operation({
  id: 'putMails',
  method: 'PUT',
  path: '/api/crm/mails',
  summary: 'Choose your e-mail notifications',
  description:
    'Events that are not named are no longer sent, including waiting ones. With the `revision` that you read, the call fails where somebody changed the choice since.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['CONFLICT'],
  body: MailsBody,
  reply: { 200: Mails },
  example: {
    to: 'customer1@example.com',
    events: ['delivery.rejected'],
    revision: '0b9d4e7fa1c83562',
  },
  handle: async ({ db }, request, { accountId }) => {
    const { events: wanted, revision: read } = request.body
    const events = await db.transaction((tx) => chooseMails(tx, accountId, wanted, read))
    return { to: await readAccountAddress(db, accountId), events, revision: revisionOf(events) }
  },
})
