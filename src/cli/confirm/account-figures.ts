/** What accounts lose: access, grants, keys; and which objections are lifted. */
import { findAccountId, getAccount } from '../../access/accounts.ts'
import { accountOfGrant, getGrant } from '../../access/grants.ts'
import { getApiKey } from '../../access/manage-keys.ts'
import { counted } from '../../domain/counted.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import type { Figures } from './figures.ts'

export const ofSuspension: Figures = async ({ db, args: [user = ''] }) => {
  const { accountId, email, plan, suspendedAt } = await getAccount(db, await findAccountId(db, user))
  const [held] = await db.query<{ sessions: number; keys: number }>(
    `SELECT (SELECT count(*) FROM access.session WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > now()) AS sessions,
            (SELECT count(*) FROM access.api_key
             WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())) AS keys`,
    [accountId],
  )
  const state = suspendedAt === null ? plan : `${plan}, suspended already`
  return `Account ${email} (${state}): this ends ${counted(held?.sessions ?? 0, 'open session')} and blocks ${counted(held?.keys ?? 0, 'API key')}.`
}

export const ofGrant: Figures = async ({ db, args: [first = '', second] }) => {
  const accountId = await (second === undefined ? accountOfGrant(db, first) : findAccountId(db, first))
  const { email } = await getAccount(db, accountId)
  const { dataset, planName, state, expiresAt } = await getGrant(db, accountId, second ?? first)
  const end = expiresAt === null ? 'without an end' : `until ${shownInstant(expiresAt)}`
  return `Grant of ${email}: ${dataset}, ${planName}, ${state}, ${end}. It ends at once.`
}

export const ofKey: Figures = async ({ db, args: [user = '', name = ''] }) => {
  const key = await getApiKey(db, await findAccountId(db, user), name)
  const [held] = await db.query<{ sessions: number; made: number }>(
    `SELECT (SELECT count(*) FROM access.session WHERE api_key_id = $1 AND revoked_at IS NULL AND expires_at > now()) AS sessions,
            (SELECT count(*) FROM access.api_key WHERE parent_key_id = $1 AND revoked_at IS NULL) AS made`,
    [key.apiKeyId],
  )
  const used = key.lastUsedAt === null ? 'never used' : `last used ${shownInstant(key.lastUsedAt)}`
  return `Key ${key.prefix} (${key.name}, ${used}): it ends with ${counted(held?.sessions ?? 0, 'open session')} and ${counted(held?.made ?? 0, 'key')} created by it.`
}

export const ofObjections: Figures = async ({ options: { lost, id, email, mobile, din, pan, file } }) => {
  if (lost) return 'All entries whose key was lost are removed: the data of these people is shown again.'
  const named = [id, email, mobile, din, pan].flatMap((each) => each ?? []).length
  const from = file !== undefined ? ` and those of ${file}` : ''
  return `This lifts ${counted(named, 'objection')}${from}: the records are shown and sold again.`
}
