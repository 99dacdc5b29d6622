/**
 * Links that an operator hands out where e-mail is not sent or does not arrive: they let an invited person join, or
 * sign a member in. The code is shown once and stored hashed; a second link does not replace the first.
 */
import { randomBytes } from 'node:crypto'
import { handedOutMinutes } from '../../config/sign-in.ts'
import { actingNow } from '../audit/acting.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { sha256 } from './api-keys.ts'
import { getPerson, type Person } from './people.ts'

export interface HandedOutLink {
  readonly person: Person
  /** Path and fragment below the address of this Panji. */
  readonly path: string
  readonly expiresAt: Date
}

export interface LinkWish {
  /** ID or e-mail of the person. */
  readonly name: string
  readonly operator: { readonly id: string; readonly name: string }
  readonly actor: Actor
}

/** @throws AppError NOT_FOUND, CONFLICT for an invitation that has ended. */
export async function handOutLink(
  tx: Queryable,
  accountId: string,
  { name, operator, actor }: LinkWish,
): Promise<HandedOutLink> {
  const person = await getPerson(tx, accountId, name)
  const code = randomBytes(32).toString('base64url')
  const [made] = await tx.query<{ expiresAt: Date | null }>(
    'SELECT access.hand_out_link($1, $2, $3, $4, $5, $6) AS "expiresAt"',
    [person.personId, sha256(code), handedOutMinutes, operator.id, operator.name, actingNow()?.proof ?? null],
  )
  if (!made?.expiresAt) {
    throw new AppError('CONFLICT', 'The invitation has ended. Invite the person again, then hand out the link.')
  }
  const detail = { joined: person.joinedAt !== null, expiresAt: made.expiresAt.toISOString() }
  await audit(tx, { actor, action: 'hand out link', subject: person.personId, accountId, detail })
  return { person, path: `/app#code=${code}`, expiresAt: made.expiresAt }
}
