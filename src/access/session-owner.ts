/** The owner of a session: an API key, or a person of the account. */
import type { KeyScope } from '../domain/key-scope.ts'
import type { ApiKeyOwner } from './api-keys.ts'
import type { ActingPerson } from './people.ts'

export interface SessionOwner extends Omit<ApiKeyOwner, 'apiKeyId'> {
  /** null for a person. */
  readonly apiKeyId: string | null
  readonly person: ActingPerson | null
  /** The account requires a second factor, and this person has none. */
  readonly mustAddSecondFactor: boolean
  readonly scopes: readonly KeyScope[]
}
