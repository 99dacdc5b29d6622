import { z } from 'zod'
import { accountRoles } from '../../../domain/account-role.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { email, timestamp, uuid } from '../../formats.ts'
import { csrfTokenOf } from '../../hooks/browser-session.ts'
import type { Shown } from '../../operation.ts'
import type { Principal } from '../../route-context.ts'

export const Session = z
  .object({
    user_id: uuid('ID of the account'),
    email: email('E-mail address of the account'),
    name: z.string(),
    scopes: z.array(z.enum(keyScopes)).describe("Scopes of the key, or those of the person's role"),
    person: z
      .object({
        person_id: uuid('ID of the person'),
        name: z.string(),
        email: email('E-mail address of the person'),
        role: z.enum(accountRoles),
      })
      .nullable()
      .describe('Person who signed in; null for an API key'),
    must_add_second_factor: z
      .boolean()
      .describe('The account requires a second factor and this person has none: it must be added before anything else'),
    viewed_by: z.string().nullable().describe('Operator who is viewing the account read-only; null for its own people'),
    is_sample_world: z.boolean().describe('Whether the registers hold the invented records of the sample world'),
    csrf_token: z.string().describe('For the X-CSRF-Token header of every further call'),
    expires_at: timestamp('at which the session ends'),
  })
  .meta({ id: 'AppSession' })

export function sessionState(
  {
    accountId,
    email,
    username,
    scopes,
    viewer,
    person,
    mustAddSecondFactor,
  }: Pick<Principal, 'accountId' | 'email' | 'username' | 'scopes' | 'viewer' | 'person' | 'mustAddSecondFactor'>,
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
  isSampleWorld: boolean,
): Shown<typeof Session> {
  return {
    user_id: accountId,
    email,
    name: username,
    scopes,
    person: person && { person_id: person.personId, name: person.name, email: person.email, role: person.role },
    must_add_second_factor: mustAddSecondFactor,
    viewed_by: viewer?.name ?? null,
    is_sample_world: isSampleWorld,
    csrf_token: csrfTokenOf(secret),
    expires_at: expiresAt.toISOString(),
  }
}
