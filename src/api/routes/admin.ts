/** Operator endpoints, behind the operator token: suspension and blocked addresses. Each act leaves an audit row. */
import { z } from 'zod'
import { accountState, suspendAccount, unsuspendAccount } from '../../access/accounts.ts'
import {
  type BlockedAddress,
  blockAddress,
  listBlockedAddresses,
  unblockAddress,
} from '../../access/blocked-addresses.ts'
import { networkOf } from '../../domain/client-address.ts'
import { exampleIds } from '../example-records.ts'
import { email, timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody } from '../parameters.ts'
import type { Routes } from '../route-context.ts'

export const AccountState = z
  .object({
    user_id: uuid('Of the account'),
    email: email('Of the account'),
    username: z.string(),
    plan: z.string(),
    is_enterprise: z.boolean(),
    suspended: z.boolean(),
    suspended_at: timestamp().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AccountState' })
const BlockedIp = z
  .object({ ip: z.string(), reason: z.string(), blocked_at: timestamp(), blocked_by: z.string() })
  .meta({ id: 'BlockedAddress' })
export const UserPath = z.object({ id: uuid('user_id of the account').meta({ examples: [exampleIds.account] }) })
const SuspendBody = z
  .strictObject({ reason: z.string().max(500).optional().describe('For the operator') })
  .nullish()
  .meta({ examples: [{ reason: 'unpaid' }] })
const ip = z
  .string()
  .refine(
    (text) => networkOf(text) !== undefined,
    'must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24',
  )
  .describe('IPv4 or IPv6 address, or a network such as 203.0.113.0/24; of an IPv6 address its /64')

export const admin = { tags: ['Operations'], security: [{ operatorToken: [] }] }

export const adminRoutes: Routes = async (app, { db }) => {
  app.post(
    '/admin/users/:id/suspend',
    {
      schema: {
        operationId: 'suspendAccount',
        ...admin,
        summary: 'Suspend an account and end its sessions',
        description: 'Its keys are refused with 403 until it is unsuspended.',
        params: UserPath,
        body: SuspendBody,
        response: { 200: AccountState },
      },
    },
    async (request) =>
      accountState(
        await db.transaction((tx) => suspendAccount(tx, request.params.id, request.body?.reason, operatorOf(request))),
      ),
  )

  app.post(
    '/admin/users/:id/unsuspend',
    {
      schema: {
        operationId: 'unsuspendAccount',
        ...admin,
        summary: 'Let an account log in again',
        description: 'Sessions that were ended stay ended.',
        params: UserPath,
        body: noBody,
        response: { 200: AccountState },
      },
    },
    async (request) =>
      accountState(await db.transaction((tx) => unsuspendAccount(tx, request.params.id, operatorOf(request)))),
  )

  app.get(
    '/admin/security/blocked-ips',
    {
      schema: {
        operationId: 'listBlockedAddresses',
        ...admin,
        summary: 'Blocked addresses',
        description:
          'By an operator, or noted by the system after too many wrong keys: those refuse further wrong keys alone.',
        response: { 200: z.object({ data: z.array(BlockedIp) }) },
      },
    },
    async () => ({ data: (await listBlockedAddresses(db)).map(blockedIpOf) }),
  )

  app.post(
    '/admin/security/block-ip',
    {
      schema: {
        operationId: 'blockAddress',
        ...admin,
        summary: 'Refuse an address or network on every developer call',
        description: 'Also with a good key or token, until it is unblocked.',
        body: z
          .strictObject({
            ip,
            reason: z.string().min(1).max(500).default('blocked by the operator').describe('For the operator'),
          })
          .meta({ examples: [{ ip: '203.0.113.7', reason: 'scraping' }] }),
        response: { 200: BlockedIp },
      },
    },
    async (request) => {
      const { ip: address, reason } = request.body
      const block = { address, reason, by: operatorOf(request) }
      return blockedIpOf(await db.transaction((tx) => blockAddress(tx, block)))
    },
  )

  app.post(
    '/admin/security/unblock-ip',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'unblockAddress',
        ...admin,
        summary: 'Let an address in again',
        description: 'Its failed logins are forgotten.',
        body: z.strictObject({ ip }).meta({ examples: [{ ip: '203.0.113.7' }] }),
        response: { 200: z.object({ ip: z.string(), unblocked: z.literal(true) }) },
      },
    },
    async (request) => {
      const address = request.body.ip
      await db.transaction((tx) => unblockAddress(tx, address, operatorOf(request)))
      return { ip: address, unblocked: true as const }
    },
  )
}

function blockedIpOf(blocked: BlockedAddress): z.output<typeof BlockedIp> {
  const { address, reason, blockedAt, blockedBy } = blocked
  return { ip: address, reason, blocked_at: blockedAt.toISOString(), blocked_by: blockedBy }
}
