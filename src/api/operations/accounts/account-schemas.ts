import { z } from 'zod'
import type { BlockedAddress } from '../../../access/blocked-addresses.ts'
import { networkOf } from '../../../domain/client-address.ts'
import { exampleIds } from '../../example-records.ts'
import { email, timestamp, uuid } from '../../formats.ts'

export const AccountState = z
  .object({
    user_id: uuid('ID of the account'),
    email: email('E-mail address of the account'),
    username: z.string(),
    plan: z.string(),
    is_enterprise: z.boolean(),
    suspended: z.boolean(),
    suspended_at: timestamp().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AccountState' })

export const BlockedIp = z
  .object({ ip: z.string(), reason: z.string(), blocked_at: timestamp(), blocked_by: z.string() })
  .meta({ id: 'BlockedAddress' })

export const UserPath = z.object({ id: uuid('user_id of the account').meta({ examples: [exampleIds.account] }) })

export const ip = z
  .string()
  .max(64)
  .refine(
    (text) => networkOf(text) !== undefined,
    'must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24',
  )
  .describe('IPv4 or IPv6 address, or a network such as 203.0.113.0/24; for an IPv6 address its /64')

export function blockedIpOf(blocked: BlockedAddress): z.output<typeof BlockedIp> {
  const { address, reason, blockedAt, blockedBy } = blocked
  return { ip: address, reason, blocked_at: blockedAt.toISOString(), blocked_by: blockedBy }
}
