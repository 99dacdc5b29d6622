import { z } from 'zod'
import { detailUsage } from '../../../access/admission.ts'
import { effectiveScope } from '../../../access/entitlements.ts'
import { recordBudget } from '../../../access/record-budget.ts'
import { creditStatement } from '../../../orders/credit-statement.ts'
import { day, email, timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import example from './get.example.json' with { type: 'json' }
import { DateWindow, GrantedBy, StatedGrant, Territory } from './scope-schema.ts'

const DatasetEntry = z
  .object({
    enabled: z.boolean().describe('Whether the feed is open; if not, `reason` says why'),
    granted_by: GrantedBy.nullable(),
    reason: z.string().nullable(),
    territory: Territory,
    date_window: DateWindow.nullable(),
    plans: z
      .array(
        z
          .object({
            plan_name: z.string(),
            interval: z.string(),
            granted_by: GrantedBy,
            expires_at: timestamp().nullable(),
          })
          .meta({ id: 'AccessPlan' }),
      )
      .readonly(),
    grants: z
      .array(StatedGrant)
      .readonly()
      .describe('Grants in force. The feed is their union; territory and date_window above are the hull around them.'),
    ended_grants: z
      .array(
        z
          .object({ plan: z.string(), ended_at: timestamp(), why: z.enum(['expired', 'revoked']) })
          .meta({ id: 'EndedGrant' }),
      )
      .readonly()
      .describe('Grants that ended in the last 90 days, newest first.'),
  })
  .meta({ id: 'DatasetAccess' })
const AccessStatement = z
  .object({
    account: z.object({
      user_id: uuid('ID of the account'),
      email: email('E-mail address of the account'),
      username: z.string(),
      is_enterprise: z.boolean(),
    }),
    authenticated_via: z.literal('api_key'),
    datasets: z.object({
      recently_registered: z.object({ gst: DatasetEntry, company: DatasetEntry, director: DatasetEntry }),
    }),
    credits: z.array(
      z
        .object({
          type: z.string(),
          balance: z.number(),
          total_credits: z.number(),
          used_credits: z.number(),
          last_updated: timestamp(),
        })
        .meta({ id: 'CreditBalance' }),
    ),
    rate_limits: z.object({
      detail_endpoints: z.object({ used_today: z.number(), daily_limit: z.number(), remaining: z.number() }),
      record_budget: z
        .object({ used_today: z.number(), daily_limit: z.number().nullable(), remaining: z.number().nullable() })
        .describe('Records that the feeds may return today; null: no limit'),
      date: day('UTC day that the figures cover'),
    }),
    generated_at: timestamp(),
  })
  .meta({ id: 'AccessStatement' })

export default operation({
  id: 'getAccess',
  method: 'GET',
  path: '/api/access',
  summary: 'What your key may do',
  description:
    'Which feeds are open, for which places and days, your credits, and what is left of the daily details limit and of the record budget. The feeds ' +
    'enforce exactly what this says.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: AccessStatement },
  example,
  handle: async ({ db }, _request, principal) => {
    const [gst, company, director, credits, details, records] = await Promise.all([
      effectiveScope(db, principal, 'gst'),
      effectiveScope(db, principal, 'company'),
      effectiveScope(db, principal, 'director'),
      creditStatement(db, principal.accountId),
      detailUsage(db, principal),
      recordBudget(db, principal),
    ])
    const { used, limit, remaining, date } = details
    return {
      account: {
        user_id: principal.accountId,
        email: principal.email,
        username: principal.username,
        is_enterprise: principal.isEnterprise,
      },
      authenticated_via: 'api_key' as const,
      datasets: { recently_registered: { gst, company, director } },
      credits,
      rate_limits: {
        detail_endpoints: { used_today: used, daily_limit: limit, remaining },
        record_budget: { used_today: records.used, daily_limit: records.limit, remaining: records.remaining },
        date,
      },
      generated_at: new Date().toISOString(),
    }
  },
})
