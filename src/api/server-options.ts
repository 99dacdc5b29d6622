/** What the HTTP API is made with: the parts that its process gives it, and what tests and benches set otherwise. */
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
  /** How many standbys are read, and how many are left out; none are named when unset. */
  readonly standbys?: () => StandbyUsage
  /** Begun some seconds before the server closes; never, when unset. */
  readonly drain?: Drain
  /** Connections and places of expensive reads; some of `db` where none are given, for tests. */
  readonly expensiveReads?: ExpensiveReadOptions
  readonly queue: JobSender
  readonly log: Logger
  readonly settings: ApiSettings
  /** CRMs that destinations may lead into; none when unset. */
  readonly connectors?: readonly Connector[]
  /** For signing in at the pages of CRMs; not offered when unset. */
  readonly connect?: ConnectSettings
  /** Where uploaded files go; a passing folder of this server's own when unset, for tests. */
  readonly intake?: Intake
  /** Encrypts the keys that sign access tokens. */
  readonly secretKey: Secret
  /** Guards /admin and /metrics: the operator `default`. */
  readonly operatorToken: Secret
  /** Operators with a name and token of their own. */
  readonly operators?: readonly Operator[]
  /** Opens /metrics alone. */
  readonly metricsToken?: Secret | undefined
  /** Origins whose browser pages may call the developer API; none when empty. */
  readonly corsOrigins?: readonly string[]
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** Other limits than those of `config/plans.ts`, for benches. */
  readonly limits?: AccessLimits
  /** A connection of its own for /readyz, so that it is answered while the others are taken; `db` when unset. */
  readonly readinessDb?: Db
  /** Other bounds than those of `config/http-bounds.ts`, in part. */
  readonly http?: Partial<HttpBounds>
  /** Other bounds of held answers than those of `config/http-bounds.ts`, in part; for tests. */
  readonly heldAnswers?: Partial<HeldAnswerBounds>
  /** Other bounds of the bodies of an account than those of `config/http-bounds.ts`, in part; for tests. */
  readonly bodies?: Partial<BucketSize>
  /** Makes /openapi.json before the first caller comes; at its first use when unset, for tests. */
  readonly documentAtStart?: boolean
  /** Other bounds of streams of events than those of `config/http-bounds.ts`, in part; for tests. */
  readonly eventStreams?: Partial<EventStreamBounds>
  /** Another clock than the process's for the buckets of failed calls, in milliseconds; for tests. */
  readonly bucketClock?: () => number
  /** What the metrics say of the process. */
  readonly build?: BuildFacts
  /** Whom /.well-known/security.txt names. */
  readonly securityContact?: string | undefined
  /** Folder of the built pages of console and app; where the build writes them when unset. */
  readonly webDist?: string
  /** More routes of the developer API. */
  readonly extraRoutes?: readonly Routes[]
}
