/**
 * People of an account: invited, given a role, removed. Inviting a person again ends the links of earlier invitations;
 * a role applies from the next call on; a removed person loses every session at once. An account always keeps an admin.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { type AccountRole, scopesOfRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'
import { sendInvitation } from './invitation-mails.ts'
import { getPerson, type Person } from './people.ts'
import { endFactor, removePersonFactor } from './person-factor.ts'
import { requireScopes } from './scopes.ts'

const notifyOfAdmin = sqlFile(import.meta.url, 'notify-of-admin.sql')

/** Who decides about people. */
export interface Decider {
  readonly actor: Actor
  /**
   * Their own scopes: they cannot invite, change or remove anybody whose rights exceed these. Unrestricted when unset.
   */
  readonly scopes?: readonly KeyScope[]
}

export interface Invitation extends Decider {
  readonly email: string
  /** Defaults to the part of the e-mail address before the @. */
  readonly name: string | undefined
  readonly role: AccountRole
  /** null where a program invites, with an API key. */
  readonly invitedBy: Pick<Person, 'personId' | 'name'> | null
  /** If false, an operator hands out the link. */
  readonly byMail: boolean
}

/** @throws AppError SCOPE_MISSING, CONFLICT for a person who is already a member, QUOTA_EXCEEDED, RATE_LIMITED. */
export async function invitePerson(tx: Tx, accountId: string, invitation: Invitation): Promise<Person> {
  const { email, role, invitedBy, byMail, actor } = invitation
  const account = await holdQuotaAccount(tx, accountId)
  const known = await tx.query<{ role: AccountRole; joined: boolean }>(
    `SELECT role, joined_at IS NOT NULL AS joined FROM access.person
     WHERE account_id = $1 AND lower(email) = lower($2) AND removed_at IS NULL`,
    [accountId, email],
  )
  if (known[0]?.joined) throw new AppError('CONFLICT', 'Somebody with this e-mail address is already in your team.')
  requireScopesOf([role, ...known.map((person) => person.role)], invitation)
  if (known.length === 0) await requireRoom(tx, account, 'people', 1)
  const name = invitation.name ?? email.split('@')[0] ?? email
  const [invited] = await tx.query<{ personId: string }>(
    `INSERT INTO access.person (account_id, email, name, role, invited_by) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, lower(email)) WHERE removed_at IS NULL
       DO UPDATE SET name = excluded.name, role = excluded.role, invited_by = excluded.invited_by, invited_at = now()
     RETURNING person_id AS "personId"`,
    [accountId, email, name, role, invitedBy?.personId ?? null],
  )
  if (!invited) throw new Error('an invitation returned no row')
  await endLinks(tx, invited.personId)
  if (byMail) await sendInvitation(tx, accountId, { ...invited, role, invitedBy: invitedBy?.name ?? null })
  if (role === 'admin') await notifyAdmins(tx, accountId, { ...invited, actor, by: invitedBy, change: 'invited' })
  await audit(tx, { actor, action: 'invite person', subject: invited.personId, accountId, detail: { role, byMail } })
  return getPerson(tx, accountId, invited.personId)
}

/** @throws AppError NOT_FOUND, SCOPE_MISSING, CONFLICT for the last admin. */
export async function changeRole(
  tx: Tx,
  accountId: string,
  {
    personId,
    role,
    changedBy = null,
    ...by
  }: Decider & {
    readonly personId: string
    readonly role: AccountRole
    /** null for a program with an API key. */
    readonly changedBy?: Pick<Person, 'name'> | null
  },
): Promise<Person> {
  await holdQuotaAccount(tx, accountId)
  const before = await getPerson(tx, accountId, personId)
  requireScopesOf([before.role, role], by)
  if (before.role === role) return before
  if (before.role === 'admin') await requireOtherAdmin(tx, accountId, before)
  await tx.execute('UPDATE access.person SET role = $2 WHERE person_id = $1', [before.personId, role])
  if (role === 'admin') {
    const promoted = { personId: before.personId, actor: by.actor, by: changedBy, change: 'promoted' } as const
    await notifyAdmins(tx, accountId, promoted)
  }
  await audit(tx, {
    actor: by.actor,
    action: 'change role',
    subject: before.personId,
    accountId,
    detail: { from: before.role, to: role },
  })
  return { ...before, role }
}

/** @throws AppError NOT_FOUND, SCOPE_MISSING, CONFLICT for the last admin. */
export async function removePerson(tx: Tx, accountId: string, personId: string, by: Decider): Promise<Person> {
  await holdQuotaAccount(tx, accountId)
  const person = await getPerson(tx, accountId, personId)
  requireScopesOf([person.role], by)
  if (person.role === 'admin') await requireOtherAdmin(tx, accountId, person)
  await tx.execute('UPDATE access.person SET removed_at = now() WHERE person_id = $1', [person.personId])
  await endLinks(tx, person.personId)
  await endFactor(tx, person.personId)
  const sessionsEnded = await tx.execute(
    'UPDATE access.session SET revoked_at = now() WHERE person_id = $1 AND revoked_at IS NULL',
    [person.personId],
  )
  const detail = { role: person.role, sessionsEnded }
  await audit(tx, { actor: by.actor, action: 'remove person', subject: person.personId, accountId, detail })
  return person
}

/**
 * Removes the second factor of a person who lost it. @throws AppError NOT_FOUND, SCOPE_MISSING, CONFLICT for the own
 * one and for an API key: otherwise a stolen session of an admin, or a key created in it, would be enough to remove it.
 */
export async function resetFactor(
  tx: Tx,
  accountId: string,
  name: string,
  by: Decider & { readonly personId?: string },
): Promise<Person> {
  const person = await getPerson(tx, accountId, name)
  requireScopesOf([person.role], by)
  const { personId } = person
  if (by.personId === undefined)
    throw new AppError('CONFLICT', 'An API key cannot remove a second factor. Sign in as an admin of the account.')
  if (personId === by.personId)
    throw new AppError('CONFLICT', 'This second factor is your own. Remove it with a code: DELETE /api/second-factor.')
  await removePersonFactor(tx, { accountId, personId, actor: by.actor, by: 'admin' })
  return person
}

/** @throws AppError SCOPE_MISSING where one of these roles has rights that the decider lacks. */
export function requireScopesOf(roles: readonly AccountRole[], { scopes }: Decider): void {
  if (scopes) requireScopes([...new Set(roles.flatMap((role) => scopesOfRole[role]))], scopes)
}

interface NewAdmin {
  readonly personId: string
  readonly change: 'invited' | 'promoted'
  readonly actor: Actor
  readonly by: Pick<Person, 'name'> | null
}

async function notifyAdmins(tx: Queryable, accountId: string, { personId, change, actor, by }: NewAdmin) {
  const maker = by?.name ?? (actor === `account:${accountId}` ? 'A program with an API key' : null)
  await tx.execute(notifyOfAdmin, [accountId, personId, change, maker])
}

/** An invited admin may never join, so only one who has joined counts. */
async function requireOtherAdmin(tx: Queryable, accountId: string, { personId, joinedAt }: Person): Promise<void> {
  if (joinedAt === null) return
  const others = await tx.query(
    `SELECT FROM access.person WHERE account_id = $1 AND person_id <> $2 AND role = 'admin'
       AND joined_at IS NOT NULL AND removed_at IS NULL LIMIT 1`,
    [accountId, personId],
  )
  if (others.length > 0) return
  throw new AppError('CONFLICT', 'This is the last admin of the account. Make somebody else an admin first.')
}

/** Including those of an e-mail that is not sent yet. */
async function endLinks(tx: Queryable, personId: string): Promise<void> {
  await tx.execute('DELETE FROM access.sign_in_code WHERE person_id = $1', [personId])
  await tx.execute(
    `DELETE FROM deliver.mail WHERE person_id = $1 AND state = 'pending' AND type IN ('sign-in', 'invitation')`,
    [personId],
  )
}
