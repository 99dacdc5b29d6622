/** POST /admin/users/{id}/view: an operator sees an account's pages as the account does, reads, and changes nothing. */
import { z } from 'zod'
import { openAccountView } from '../../access/account-views.ts'
import { timestamp, uuid } from '../formats.ts'
import { cookieOf, setCookie } from '../hooks/browser-session.ts'
import { enteredOf } from '../hooks/operator.ts'
import { reasonText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin, UserPath } from './admin.ts'

const View = z
  .object({
    user_id: uuid('Of the account'),
    address: z.string().describe('Of the pages, on this server'),
    expires_at: timestamp('at which the view ends'),
  })
  .meta({ id: 'AccountView' })

export const adminViewRoutes: Routes = async (app, { db }) => {
  app.post(
    '/admin/users/:id/view',
    {
      schema: {
        operationId: 'viewAsAccount',
        ...admin,
        summary: "See an account's pages as the account does",
        description:
          'Sets the httpOnly cookie panji_app, for half an hour: feeds, search, records, orders and access answer as to the account, ' +
          "nothing can be changed, nothing counts as the account's use, and each reading stands in the trail under the operator's name. " +
          'A session of an account that the browser had ends.',
        params: UserPath,
        body: z
          .strictObject({ reason: reasonText('Why; the account sees it in its trail') })
          .meta({ examples: [{ reason: 'asked why its feed is empty' }] }),
        response: { 201: View },
      },
    },
    async (request, reply) => {
      const { operator } = enteredOf(request)
      const view = await db.transaction((tx) =>
        openAccountView(tx, request.params.id, {
          viewer: { id: operator.id, name: operator.name },
          reason: request.body.reason,
          ip: request.ip,
          replaces: cookieOf(request, 'app'),
        }),
      )
      setCookie(request, reply, 'app', view)
      const { account, expiresAt } = view
      return reply.code(201).send({ user_id: account.accountId, address: '/app', expires_at: expiresAt.toISOString() })
    },
  )
}
