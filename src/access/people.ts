/** The current people of an account: listed, and found by ID or e-mail. */
import { invitations } from '../../config/sign-in.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type AccountRole, accountRoleAllows } from '../domain/account-role.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'

/** The acting person of a session. */
export interface ActingPerson {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: AccountRole
}

export interface Person extends ActingPerson {
  /** Name of the person who sent the invitation; null for an operator, or a program with an API key. */
  readonly invitedBy: string | null
  readonly invitedAt: Date
  /** null until the invitation is used. */
  readonly joinedAt: Date | null
  /** The last sign-in. */
  readonly lastUsedAt: Date | null
  readonly hasSecondFactor: boolean
}

const columns = `person_id AS "personId", email, name, role, invited_at AS "invitedAt", joined_at AS "joinedAt",
  last_used_at AS "lastUsedAt", (SELECT i.name FROM access.person i WHERE i.person_id = access.person.invited_by) AS "invitedBy",
  EXISTS (SELECT FROM access.person_totp t WHERE t.person_id = access.person.person_id AND t.confirmed_at IS NOT NULL) AS "hasSecondFactor"`

/** In answers and commands. Times in ISO 8601, UTC. */
export function personState(person: Person) {
  return {
    person_id: person.personId,
    email: person.email,
    name: person.name,
    role: person.role,
    state: person.joinedAt === null ? ('invited' as const) : ('active' as const),
    invited_by: person.invitedBy,
    invited_at: person.invitedAt.toISOString(),
    invitation_ends_at: person.joinedAt === null ? invitationEndOf(person).toISOString() : null,
    joined_at: person.joinedAt?.toISOString() ?? null,
    second_factor: person.hasSecondFactor,
    last_used_at: person.lastUsedAt?.toISOString() ?? null,
  }
}

const dayMs = 86_400_000
const invitationEndOf = ({ invitedAt }: Person) => new Date(invitedAt.getTime() + invitations.days * dayMs)

/** Oldest members first. */
export async function listPeople(db: Queryable, accountId: string): Promise<Person[]> {
  return db.query<Person>(
    sql`SELECT ${columns} FROM access.person WHERE account_id = $1 AND removed_at IS NULL ORDER BY invited_at, person_id`,
    [accountId],
  )
}

/** @param name ID or e-mail. @throws AppError NOT_FOUND where the account has no such person. */
export async function getPerson(db: Queryable, accountId: string, name: string): Promise<Person> {
  const [person] = await db.query<Person>(
    sql`SELECT ${columns} FROM access.person
     WHERE account_id = $1 AND removed_at IS NULL AND (person_id = $2 OR lower(email) = lower($3))`,
    [accountId, isUuid(name) ? name : null, name.trim()],
  )
  if (person) return person
  throw new AppError('NOT_FOUND', 'The account has no such person.')
}

/** @throws AppError ROLE_MISSING naming the role that is needed. */
export function requireAccountRole({ role }: ActingPerson, needed: AccountRole): void {
  if (accountRoleAllows(role, needed)) return
  throw new AppError(
    'ROLE_MISSING',
    `You are a ${role} of this account; this needs the role ${needed}. Ask an admin.`,
    {
      extra: { needed_role: needed },
    },
  )
}
