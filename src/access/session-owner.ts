/** On whose behalf a session opens: of an API key, or of a person of the account. */
import type { KeyScope } from '../domain/key-scope.ts'
import type { ApiKeyOwner } from './api-keys.ts'
import type { ActingPerson } from './people.ts'

export interface SessionOwner extends Omit<ApiKeyOwner, 'apiKeyId'> {
  /** Null where a person signed in. */
  readonly apiKeyId: string | null
  readonly person: ActingPerson | null
  /** The account asks its people for a second factor, and this one has none. */
  readonly mustAddSecondFactor: boolean
  readonly scopes: readonly KeyScope[]
}
