/** /api/crm/mails: what an account is told by e-mail of its deliveries. */
import { z } from 'zod'
import { eventTypes } from '../../deliver/event-types.ts'
import { chooseMails, wantedMails } from '../../deliver/mails/mail-choice.ts'
import { principalOf, type Routes } from '../route-context.ts'

const tags = ['CRM']
const events = z.array(z.enum(eventTypes)).max(eventTypes.length)
const Mails = z.object({ to: z.string(), events: events.describe('What you are told') }).meta({ id: 'Mails' })
const MailsBody = z
  .strictObject({ events: events.describe('What you want to be told; empty: nothing') })
  .meta({ examples: [{ events: ['delivery.rejected', 'destination.broken'] }] })

export const mailRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/crm/mails',
    {
      schema: {
        operationId: 'getMails',
        tags,
        summary: 'What you are told by e-mail',
        description:
          "To the account's own address, where the operator has configured e-mail; everything unless you choose.",
        response: { 200: Mails },
      },
    },
    async (request) => {
      const { accountId, email } = principalOf(request)
      return { to: email, events: await wantedMails(db, accountId) }
    },
  )

  app.put(
    '/api/crm/mails',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'putMails',
        tags,
        summary: 'Choose what you are told by e-mail',
        description: 'What is not named is not sent any more, also what waits.',
        body: MailsBody,
        response: { 200: Mails },
      },
    },
    async (request) => {
      const { accountId, email } = principalOf(request)
      return { to: email, events: await chooseMails(db, accountId, request.body.events) }
    },
  )
}
