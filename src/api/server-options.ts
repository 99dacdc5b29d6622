/** Options of the HTTP API: parts provided by its process, and overrides for tests and benches. */
import type { Logger } from 'pino'
import type { HeldAnswerBounds, HttpBounds } from '../../config/http-bounds.ts'
import type { Connector } from '../../connectors/contract.ts'
import type { AccessLimits } from '../access/admission.ts'
import type { Operator } from '../access/operators.ts'
import type { Db } from '../db/db.ts'
import type { StandbyUsage } from '../db/standbys/watch.ts'
import type { ConnectSettings } from '../deliver/connect/connect-parts.ts'
import type { Secret } from '../domain/secret.ts'
import type { BucketSize } from '../limits/bucket.ts'
import type { JobSender } from '../queue/queue.ts'
import type { Drain } from './drain.ts'
import type { EventStreamBounds } from './event-streams.ts'
import type { ExpensiveReadOptions } from './expensive-reads.ts'
import type { BuildFacts } from './metrics/metrics.ts'
import type { ApiSettings, Intake, Routes } from './route-context.ts'

export interface ServerOptions {
  readonly db: Db
  /** Where records of the registers are read: `db` when unset. */
  readonly registers?: Db
  /** How many standbys are read from, and how many are left out; none are configured when unset. */
  readonly standbys?: () => StandbyUsage
  /** Starts some seconds before the server closes; never, when unset. */
  readonly drain?: Drain
  /** Connections and slots of expensive reads; some of `db` when unset, for tests. */
  readonly expensiveReads?: ExpensiveReadOptions
  readonly queue: JobSender
  readonly log: Logger
  readonly settings: ApiSettings
  /** CRMs that destinations may use; none when unset. */
  readonly connectors?: readonly Connector[]
  /** For signing in at the pages of CRMs; not offered when unset. */
  readonly connect?: ConnectSettings
  /** Where uploaded files go; a temporary folder of this server when unset, for tests. */
  readonly intake?: Intake
  /** Encrypts the keys that sign access tokens. */
  readonly secretKey: Secret
  /** Guards /admin and /metrics: the operator `default`. */
  readonly operatorToken: Secret
  /** Operators with a name and token of their own. */
  readonly operators?: readonly Operator[]
  /** Opens only /metrics. */
  readonly metricsToken?: Secret | undefined
  /** Origins whose browser pages may call the developer API; none when empty. */
  readonly corsOrigins?: readonly string[]
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Overrides the limits of `config/plans.ts`, for benches. */
  readonly limits?: AccessLimits
  /** A separate connection for /readyz, so that it is answered while the others are in use; `db` when unset. */
  readonly readinessDb?: Db
  /** Overrides bounds of `config/http-bounds.ts`. */
  readonly http?: Partial<HttpBounds>
  /** Overrides bounds of delayed responses of `config/http-bounds.ts`, for tests. */
  readonly delayedResponses?: Partial<HeldAnswerBounds>
  /** Overrides bounds of an account's bodies of `config/http-bounds.ts`, for tests. */
  readonly bodies?: Partial<BucketSize>
  /** Builds /openapi.json before the first caller comes; at its first use when unset, for tests. */
  readonly documentAtStart?: boolean
  /** Overrides bounds of event streams of `config/http-bounds.ts`, for tests. */
  readonly eventStreams?: Partial<EventStreamBounds>
  /** Overrides the clock of the failed-call buckets, in milliseconds; for tests. */
  readonly bucketClock?: () => number
  readonly build?: BuildFacts
  /** Contact in /.well-known/security.txt. */
  readonly securityContact?: string | undefined
  /** Folder of the built pages of console and app; by default where the build writes them. */
  readonly webDist?: string
  readonly extraRoutes?: readonly Routes[]
}
