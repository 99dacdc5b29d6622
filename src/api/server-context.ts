/** What the routes of login, which nobody stands behind yet, get beside what all routes get. */
import type { KnownCredentials } from '../access/known-credentials.ts'
import type { KeyRing } from '../access/signing-keys.ts'
import type { Trail } from '../trail/trail.ts'
import type { Strangers } from './hooks/stranger-bucket.ts'
import type { RouteContext } from './route-context.ts'

export interface ServerContext extends RouteContext {
  readonly keyRing: KeyRing
  readonly strangers: Strangers
  readonly credentials: KnownCredentials
  /** Names that the environment gives to operators. */
  readonly operatorNames: readonly string[]
  readonly trail: Trail
}
