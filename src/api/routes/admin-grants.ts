/** What operators do for the grants and the plan of an account. Each act leaves an audit row and counts from the next call on. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { accountState, changePlan, getAccount } from '../../access/accounts.ts'
import { grantKinds } from '../../access/entitlements.ts'
import {
  type GrantRecord,
  getGrant,
  grantEntitlement,
  grantState,
  grantStates,
  listGrants,
  revokeGrant,
} from '../../access/grants.ts'
import { entityTypes } from '../../domain/identity.ts'
import { timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { calendarDay, moment, noBody, plainText } from '../parameters.ts'
import type { RouteContext } from '../route-context.ts'
import { AccountState, admin, UserPath } from './admin.ts'
import { GrantedBy, StatedGrant } from './scope-schema.ts'

const Grant = StatedGrant.extend({
  grant_id: uuid('Of the grant'),
  dataset: z.enum(entityTypes),
  granted_by: GrantedBy,
  interval: z.string(),
  trial: z.boolean().describe('Opened free of charge'),
  state: z.enum(grantStates),
  starts_at: timestamp(),
  revoked_at: timestamp().nullable(),
}).meta({ id: 'Grant' })
const places = (what: string) => z.array(plainText(100).min(1)).min(1).max(5_000).optional().describe(what)
const NewGrant = z
  .strictObject({
    dataset: z.enum(entityTypes).describe('Which feed'),
    granted_by: z.enum(grantKinds).default('subscription').describe('What it comes from'),
    plan: plainText(200).min(1).optional().describe('Name, as the account sees it'),
    states: places('In any usual spelling; nationwide unless told'),
    districts: places('Only these'),
    pincodes: places('Only these'),
    from_date: calendarDay.optional().describe('First day of registration'),
    to_date: calendarDay.optional().describe('Last day of registration'),
    anchored: z.boolean().optional().describe('The first day is the start of the subscription; today unless told'),
    expires_at: moment
      .optional()
      .meta({ description: 'The instant of its end', format: 'date-time', examples: ['2099-03-31T18:30:00Z'] }),
  })
  .meta({ examples: [{ dataset: 'gst', states: ['Goa'], from_date: '2026-04-01', anchored: true }] })
const GrantPath = UserPath.extend({
  grant_id: uuid('Of a grant of the account').meta({ examples: ['3f0a4b7e-6c1d-4b52-9f53-0d2c7a1e8b90'] }),
})

const told = (grant: GrantRecord): z.output<typeof Grant> => grantState(grant)

export const adminGrantRoutes: FastifyPluginAsyncZod<RouteContext> = async (app, { db }) => {
  app.get(
    '/admin/users/:id/grants',
    {
      schema: {
        operationId: 'listAccountGrants',
        ...admin,
        summary: "An account's grants, the newest first",
        description: 'Those that ended too. What is in force opens its union.',
        params: UserPath,
        response: { 200: z.object({ data: z.array(Grant) }) },
      },
    },
    async (request) => ({ data: (await listGrants(db, request.params.id)).map(told) }),
  )

  app.post(
    '/admin/users/:id/grants',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'grantFeed',
        ...admin,
        summary: 'Grant an account a feed',
        description: 'Beside its earlier grants: an account may read what any of them opens.',
        params: UserPath,
        body: NewGrant,
        response: { 201: Grant },
      },
    },
    async (request, reply) => {
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
          expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
          actor: operatorOf(request),
        })
        return getGrant(tx, accountId, entitlementId)
      })
      return reply.code(201).send(told(made))
    },
  )

  app.delete(
    '/admin/users/:id/grants/:grant_id',
    {
      schema: {
        operationId: 'revokeGrant',
        ...admin,
        summary: 'End a grant at once',
        description:
          'The account is told in GET /api/access. One that has ended stays as it is; revoking twice is no error.',
        params: GrantPath,
        body: noBody,
        response: { 200: Grant },
      },
    },
    async (request) => {
      const { id, grant_id } = request.params
      return told(await db.transaction((tx) => revokeGrant(tx, id, grant_id, operatorOf(request))))
    },
  )

  app.put(
    '/admin/users/:id/plan',
    {
      schema: {
        operationId: 'changePlan',
        ...admin,
        summary: 'Put an account on another plan',
        description: 'From its next call on. What is left out stays.',
        params: UserPath,
        body: z
          .strictObject({
            plan: z.enum(['free', 'premium']).optional().describe('Decides limits, budgets and quotas'),
            is_enterprise: z.boolean().optional().describe('Entitled to everything'),
          })
          .meta({ examples: [{ plan: 'premium' }] }),
        response: { 200: AccountState },
      },
    },
    async (request) => {
      const { plan, is_enterprise: isEnterprise } = request.body
      const { id } = request.params
      return accountState(await db.transaction((tx) => changePlan(tx, id, { plan, isEnterprise }, operatorOf(request))))
    },
  )

  app.get(
    '/admin/users/:id',
    {
      schema: {
        operationId: 'getAccount',
        ...admin,
        summary: 'One account',
        description: 'With plan and suspension.',
        params: UserPath,
        response: { 200: AccountState },
      },
    },
    async (request) => accountState(await getAccount(db, request.params.id)),
  )
}
