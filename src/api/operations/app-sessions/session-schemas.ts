import { z } from 'zod'
import { accountRoles } from '../../../domain/account-role.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { email, timestamp, uuid } from '../../formats.ts'
import { csrfTokenOf } from '../../hooks/browser-session.ts'
import type { Principal } from '../../route-context.ts'

export const Session = z
  .object({
    user_id: uuid('Of the account'),
    email: email('Of the account'),
    name: z.string(),
    scopes: z.array(z.enum(keyScopes)).describe('What the key that signed in may be used for, or the role of who did'),
    person: z
      .object({
        person_id: uuid('Of the person'),
        name: z.string(),
        email: email('Of the person'),
        role: z.enum(accountRoles),
      })
      .nullable()
      .describe('Who signed in; null where an API key did'),
    must_add_second_factor: z
      .boolean()
      .describe('The account asks its people for a second factor, and this one has none: nothing else comes first'),
    viewed_by: z
      .string()
      .nullable()
      .describe('The operator who looks at the account, and changes nothing; null for its own people'),
    is_sample_world: z.boolean().describe('Whether invented records, of the sample world, are in the registers'),
    csrf_token: z.string().describe('For the header X-CSRF-Token of every further call'),
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
): z.output<typeof Session> {
  return {
    user_id: accountId,
    email,
    name: username,
    scopes: [...scopes],
    person: person && { person_id: person.personId, name: person.name, email: person.email, role: person.role },
    must_add_second_factor: mustAddSecondFactor,
    viewed_by: viewer?.name ?? null,
    is_sample_world: isSampleWorld,
    csrf_token: csrfTokenOf(secret),
    expires_at: expiresAt.toISOString(),
  }
}
