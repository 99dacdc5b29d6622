/**
 * Links that an operator hands out, where no e-mail is sent or none arrives: one that lets an invited person join, or signs in one who
 * has. The code is shown once and kept hashed; handed out twice there are two.
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
  /** Id or e-mail of the person. */
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
