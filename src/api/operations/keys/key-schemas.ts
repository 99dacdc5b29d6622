/** API keys in requests and answers, shared by the account's own routes and the operator's. */

import { z } from 'zod'
import { type createApiKey, keyState, type RevokedApiKey } from '../../../access/manage-keys.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { exampleIds } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { endOf, momentOrDay, wording } from '../../parameters.ts'

const scope = z.enum(keyScopes)

export const ApiKey = z
  .object({
    key_id: uuid('ID of the key'),
    prefix: z.string().describe('Its first characters; identifies the key within the account'),
    name: z.string(),
    scopes: z.array(scope),
    created_at: timestamp(),
    last_used_at: timestamp('of the last login with it, or refresh of such a login').nullable(),
    expires_at: timestamp().nullable(),
    revoked_at: timestamp().nullable(),
    parent: z
      .string()
      .nullable()
      .describe('Prefix of the key that created it, and that it ends with; null where a person or an operator did'),
    made_by: z.string().nullable().describe('Name of the person who created it; null where a key or an operator did'),
    standing_order_id: uuid('ID of the standing order that it is bound to').nullable(),
  })
  .meta({ id: 'ApiKey' })

export const ApiKeys = z.object({ data: z.array(ApiKey) })

export const CreatedKey = ApiKey.extend({ api_key: z.string().describe('Shown only now') }).meta({ id: 'CreatedKey' })

export const RevokedKey = ApiKey.extend({
  sessions_ended: z.number(),
  children_revoked: z
    .array(z.string())
    .describe('Prefixes of the keys that it had created, directly or through others'),
}).meta({ id: 'RevokedKey' })

export const revokedState = ({ record, sessionsEnded, childrenRevoked }: RevokedApiKey) => ({
  ...keyState(record),
  sessions_ended: sessionsEnded,
  children_revoked: childrenRevoked,
})

export const NewKeyBody = z
  .strictObject({
    name: wording(100).optional().describe('Your note on where the key is used'),
    scopes: z
      .array(scope)
      .min(1)
      .max(keyScopes.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'names a scope twice')
      .optional()
      .describe('Scopes of the key; by default all scopes of your own key except keys'),
    expires_at: momentOrDay
      .nullish()
      .describe(
        'Expiry: a moment, or a day at whose end in India the key expires; by default the expiry of your own key, which is the latest possible',
      ),
    replaces: z
      .string()
      .max(100)
      .optional()
      .describe('Prefix or ID of the key that the new one replaces, with its name and scopes by default'),
    standing_order_id: uuid('ID of a standing order')
      .optional()
      .describe('The key acts on this standing order only, within its budget, and cannot place orders by hand'),
    overlap_hours: z
      .int()
      .min(0)
      .max(24 * 90)
      .default(24)
      .describe('With replaces: how long the old key keeps working'),
  })
  .nullish()
  .meta({ examples: [{ name: 'nightly export', scopes: ['read'] }] })

export function wishesOf(body: z.output<typeof NewKeyBody>): Parameters<typeof createApiKey>[3] {
  const { name, scopes, expires_at: expiresAt, replaces, overlap_hours: overlapHours = 24 } = body ?? {}
  return {
    name,
    scopes,
    standingOrderId: body?.standing_order_id,
    expiresAt: expiresAt ? endOf(expiresAt) : undefined,
    replacement: replaces === undefined ? undefined : { replaces, overlapHours },
  }
}

export const KeyPath = z.object({
  prefix: z
    .string()
    .max(100)
    .meta({ description: 'Prefix or key_id of the key', examples: [exampleIds.keyPrefix] }),
})
