import { z } from 'zod'
import { openAccountView } from '../../../access/account-views.ts'
import { timestamp, uuid } from '../../formats.ts'
import { cookieOf, setCookie } from '../../hooks/browser-session.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { reasonText } from '../../parameters.ts'
import { UserPath } from './account-schemas.ts'

const View = z
  .object({
    user_id: uuid('ID of the account'),
    address: z.string().describe('Path of the pages on this server'),
    expires_at: timestamp('at which the view ends'),
  })
  .meta({ id: 'AccountView' })

export default operation({
  id: 'viewAsAccount',
  method: 'POST',
  path: '/admin/users/:id/view',
  summary: "View an account's pages as the account",
  description:
    'Sets the httpOnly cookie panji_app for half an hour: feeds, search, records, orders and access answer as they do to the account; ' +
    "nothing can be changed, nothing counts as the account's usage, and each read is in the audit log under the operator's name. " +
    'An account session that the browser had ends.',
  caller: { role: 'operator' },
  audit: 'act',
  params: UserPath,
  body: z
    .strictObject({ reason: reasonText('Reason; the account sees it in its audit log') })
    .meta({ examples: [{ reason: 'asked why its feed is empty' }] }),
  reply: { 201: View },
  example: {
    user_id: '2946d6e4-999a-48e3-abce-9f54a84b6da1',
    address: '/app',
    expires_at: '2026-11-23T17:36:39.579Z',
  },
  handle: async ({ db }, request, _caller, reply) => {
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
    return { user_id: account.accountId, address: '/app', expires_at: expiresAt.toISOString() }
  },
})
