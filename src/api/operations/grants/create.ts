import { z } from 'zod'
import { grantKinds } from '../../../access/entitlements.ts'
import { getGrant, grantEntitlement } from '../../../access/grants.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { operation } from '../../operation.ts'
import { calendarDay, endOf, momentOrDay, plainText } from '../../parameters.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import example from './create.example.json' with { type: 'json' }
import { Grant, grantReply } from './grant-schemas.ts'

const places = (what: string) => z.array(plainText(100).min(1)).min(1).max(5_000).optional().describe(what)
const NewGrant = z
  .strictObject({
    dataset: z.enum(entityTypes).describe('Which feed'),
    granted_by: z.enum(grantKinds).default('subscription').describe('Where the grant comes from'),
    plan: plainText(200).min(1).optional().describe('Plan name shown to the account'),
    states: places('Any common spelling; nationwide by default'),
    districts: places('Only these'),
    pincodes: places('Only these'),
    from_date: calendarDay.optional().describe('First day of registration'),
    to_date: calendarDay.optional().describe('Last day of registration'),
    anchored: z
      .boolean()
      .optional()
      .describe('Whether the first day is the start of the subscription, by default today'),
    expires_at: momentOrDay.optional().meta({
      description: 'Expiry: a moment, or a day at whose end in India the grant expires',
      examples: ['2099-03-31'],
    }),
  })
  .meta({ examples: [{ dataset: 'gst', states: ['Goa'], from_date: '2026-04-01', anchored: true }] })

export default operation({
  id: 'grantFeed',
  method: 'POST',
  path: '/admin/users/:id/grants',
  summary: 'Grant an account a feed',
  description: 'In addition to its earlier grants: an account may read what any of them covers.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['UNPROCESSABLE'],
  params: UserPath,
  body: NewGrant,
  reply: { 201: Grant },
  example,
  handle: async ({ db }, request, actor) => {
    const { id: accountId } = request.params
    const { granted_by, plan, from_date, to_date, expires_at, ...rest } = request.body
    const made = await db.transaction(async (tx) => {
      const { entitlementId } = await grantEntitlement(tx, {
        ...rest,
        accountId,
        grantedBy: granted_by,
        planName: plan,
        from: from_date,
        to: to_date,
        expiresAt: expires_at === undefined ? undefined : endOf(expires_at),
        actor,
      })
      return getGrant(tx, accountId, entitlementId)
    })
    return grantReply(made)
  },
})
