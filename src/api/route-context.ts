/** What a route file gets from the server, and what it can read from a request. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { DetailsShown, QuotaPlan } from '../../config/plans.ts'
import type { AdmittedAccount, DailyLimitKind } from '../access/admission.ts'
import type { OidcSettings } from '../access/oidc/oidc-settings.ts'
import type { Db } from '../db/db.ts'
import type { ConnectParts } from '../deliver/connect/connect-parts.ts'
import type { AccountRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import type { GateUsage } from '../limits/gate.ts'
import type { PaymentProcessor } from '../orders/payments/processor.ts'
import type { JobSender } from '../queue/queue.ts'
import type { EventStreams } from './event-streams.ts'
import type { RouteFacts } from './route-facts.ts'

/** The account of an access token, checked on every call. */
export type Principal = AdmittedAccount

export interface ApiSettings {
  readonly leadSource: string
  /** Label that, like `online`, selects online payment. */
  readonly onlineLabel: string
  /** Accepts online payments; undefined where none is configured. */
  readonly payments?: PaymentProcessor | undefined
  /** Whether webhooks may point to this machine and its network; false when unset. */
  readonly allowPrivateSources?: boolean
  /** true where accounts can have a sign-in link mailed. */
  readonly signInLinks?: boolean
  /** undefined where there is no OIDC provider. */
  readonly oidc?: OidcSettings | undefined
  /** Overrides that of `config/plans.ts`, for tests. */
  readonly detailsShown?: Readonly<Record<QuotaPlan, DetailsShown>> | undefined
  /** undefined where no sandbox CRMs run. */
  readonly sandboxPages?: SandboxPages | undefined
}

/** URLs of pages of the sandbox CRMs that work in one browser, once and within a minute. */
export interface SandboxPages {
  pagesUrl(): string
  /** @returns the URL of one record's page, with `all` of the other pages too; undefined for a URL of none of them. */
  recordUrl(address: string, all: boolean): string | undefined
}

/** Reads that scan or count a register: see expensive-reads.ts. */
export interface ExpensiveReads {
  /**
   * `work` gets a database that ends with the request or after `timeoutMs`. @throws AppError TOO_MANY_CONCURRENT,
   * QUERY_TOO_EXPENSIVE at the deadline, RATE_LIMITED after too many queries that were refused as too expensive
   */
  run<T>(request: FastifyRequest, work: (db: Db, timeoutMs: number) => Promise<T>): Promise<T>
  /**
   * A read for a response in progress, which must not be broken by a refusal: it queues behind those of its account as
   * long as needed. Callers limit the number of open responses (open-answers.ts).
   */
  runInTurn<T>(request: FastifyRequest, work: (db: Db, timeoutMs: number) => Promise<T>): Promise<T>
  usage(): GateUsage
}

/** Streamed responses, see open-answers.ts. */
export interface OpenAnswers {
  /**
   * Counts the response as open until it has ended in any way. @param kind which slots it uses: small ones are built
   * whole, and those without a paid order have few. @throws AppError TOO_MANY_CONCURRENT
   */
  hold(request: FastifyRequest, reply: FastifyReply, kind: 'paid' | 'unpaid' | 'whole'): void
  open(): number
}

/** What routes need to talk to customers' CRMs. */
export interface DeliveryContext extends ConnectParts {
  readonly crmRequests: CrmRequests
}

/** See crm-requests.ts. */
export interface CrmRequests {
  /**
   * @param accountId account of the CRM; by default the caller's. @throws AppError TOO_MANY_CONCURRENT; `work` is
   * aborted by its signal after the maximum wait.
   */
  run<T>(request: FastifyRequest, work: (signal: AbortSignal) => Promise<T>, accountId?: string): Promise<T>
}

/** Where uploads of operators are stored, for the worker to read. */
export interface Intake {
  readonly dataDir: string
  readonly fileBytesMax: number
}

export interface RouteContext {
  /** For identity, cheap reads and writes. */
  readonly db: Db
  /** For records of the registers; may be a standby. */
  readonly registers: Db
  /** For scans and counts of a register, and reads of whole orders. */
  readonly expensiveReads: ExpensiveReads
  readonly openAnswers: OpenAnswers
  readonly eventStreams: EventStreams
  readonly queue: JobSender
  readonly settings: ApiSettings
  readonly delivery: DeliveryContext
  readonly intake: Intake
}

/** Exported by a route file; the server registers it behind authentication unless it says otherwise. */
export type Routes = FastifyPluginAsyncZod<RouteContext>

/** What is left of the daily limit that governs a request; `limit` is null where the plan has none. */
export interface LimitState {
  readonly kind: DailyLimitKind
  readonly limit: number | null
  readonly remaining: number | null
  /** Next UTC midnight by the database's clock. */
  readonly resetAt: Date
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteFacts {
    readonly public?: boolean
    /**
     * Under /admin, /console, /api and /app: a browser's cookie opens it without X-CSRF-Token, and nothing else does.
     */
    readonly cookieAlone?: boolean
    /** Scopes that the session's key must have; `read` when unset. */
    readonly scopes?: readonly KeyScope[]
    /** The least role of a signed-in person, in place of scopes; when unset, the least that includes the scopes. */
    readonly atLeast?: AccountRole
    /**
     * Under /admin, the role that the operator must have; when unset a GET needs a viewer and everything else an
     * operator.
     */
    readonly role?: OperatorRole
  }
  interface FastifyRequest {
    /** Set by the authentication hook on every route that is not public. Read it through `principalOf`. */
    principal: Principal | null
    /** Set by the limit hook on routes with `config.limit`. */
    limitState: LimitState | null
    /** Set by the operator check, which requires the route's role. Read it through `operatorOf`. */
    operatorName: string | null
    /** ID of the operator's row, or `environment`; set with the name. */
    operatorId: string | null
    /** Derived from the credential that the operator presented, see src/access/operator-proof.ts. */
    operatorProof: string | null
  }
}

/** The caller of a route behind authentication. */
export function principalOf(request: { readonly principal: Principal | null }): Principal {
  if (!request.principal) throw new Error('this route runs without the authentication hook')
  return request.principal
}
