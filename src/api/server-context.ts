/** What operations get from the server. */
import type { EnvironmentMarks } from '../access/console-sessions.ts'
import type { KnownCredentials } from '../access/known-credentials.ts'
import type { OperatorAuthenticator } from '../access/operators.ts'
import type { RequestLog } from '../access/request-log/request-log.ts'
import type { KeyRing } from '../access/signing-keys.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { AnonymousClients } from './hooks/anonymous-clients.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Readiness } from './readiness.ts'
import type { RouteContext } from './route-context.ts'

export interface ServerContext extends RouteContext {
  readonly keyRing: KeyRing
  readonly anonymous: AnonymousClients
  readonly credentials: KnownCredentials
  /** Names of the operators in the environment. */
  readonly operatorNames: readonly string[]
  readonly auditLog: AuditLog
  readonly requestLog: RequestLog
  readonly authenticateOperator: OperatorAuthenticator
  readonly marks: EnvironmentMarks
  readonly readiness: Readiness
  readonly metrics: Metrics
}
