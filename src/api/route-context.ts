/** What a route file gets from the server, and what it may ask of a request. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { DetailsShown, QuotaPlan } from '../../config/plans.ts'
import type { Connector } from '../../connectors/contract.ts'
import type { AdmittedAccount } from '../access/admission.ts'
import type { OidcSettings } from '../access/oidc/oidc-settings.ts'
import type { Audited } from '../audit/audited.ts'
import type { Db } from '../db/db.ts'
import type { ConnectSettings } from '../deliver/connect/connect-parts.ts'
import type { AccountRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import type { Secret } from '../domain/secret.ts'
import type { ErrorCode } from '../errors.ts'
import type { GateUsage } from '../limits/gate.ts'
import type { PaymentProcessor } from '../orders/payments/processor.ts'
import type { JobSender } from '../queue/queue.ts'
import type { EventStreams } from './event-streams.ts'

/** The account behind an access token, checked on every call. */
export type Principal = AdmittedAccount

export interface ApiSettings {
  readonly leadSource: string
  /** Label that, like `online`, asks for online payment. */
  readonly onlineLabel: string
  /** Takes online payments; undefined where none is configured. */
  readonly payments?: PaymentProcessor | undefined
  /** Whether webhooks may lead to this machine and its network; no, when unset. */
  readonly allowPrivateSources?: boolean
  /** True where accounts may have a link mailed that signs them in. */
  readonly signInLinks?: boolean
  /** Undefined where people sign in at no provider. */
  readonly oidc?: OidcSettings | undefined
  /** Another than that of `config/plans.ts`, for tests. */
  readonly detailsShown?: Readonly<Record<QuotaPlan, DetailsShown>> | undefined
  /** Undefined where no sandbox CRMs run. */
  readonly sandboxPages?: SandboxPages | undefined
}

/** Addresses that let one browser into pages of the sandbox CRMs, once and within a minute. */
export interface SandboxPages {
  pagesUrl(): string
  /** @returns that of one record and, with `all`, of the other pages, too; undefined for an address of none of them. */
  recordUrl(address: string, all: boolean): string | undefined
}

/** Reads that scan or count a register: see expensive-reads.ts. */
export interface ExpensiveReads {
  /**
   * `work` gets a database that ends with the request or after `timeoutMs`.
   * @throws AppError TOO_MANY_CONCURRENT, QUERY_TOO_EXPENSIVE at the deadline, RATE_LIMITED after too many queries that were refused as too expensive
   */
  run<T>(request: FastifyRequest, work: (db: Db, timeoutMs: number) => Promise<T>): Promise<T>
  /**
   * A read of an answer that is under way, which no refusal may break: it waits behind those of its account as long as it
   * takes. Whoever calls it bounds how many answers are under way (open-answers.ts).
   */
  runInTurn<T>(request: FastifyRequest, work: (db: Db, timeoutMs: number) => Promise<T>): Promise<T>
  usage(): GateUsage
}

/** Answers that are sent as they are read, see open-answers.ts. */
export interface OpenAnswers {
  /**
   * Counts the answer as open until it has ended in any way.
   * @param kind which places it takes: small ones are built whole, and those that show no paid order have few.
   * @throws AppError TOO_MANY_CONCURRENT
   */
  hold(request: FastifyRequest, reply: FastifyReply, kind: 'paid' | 'unpaid' | 'whole'): void
  /** How many are under way. */
  open(): number
}

/** What routes need to speak with customers' CRMs. */
export interface DeliveryContext {
  readonly connectors: readonly Connector[]
  /** Seals the settings of destinations. */
  readonly secretKey: Secret
  readonly talks: CrmTalks
  readonly connect: ConnectSettings
}

/** See crm-talks.ts. */
export interface CrmTalks {
  /**
   * @param accountId whose CRM it is; the caller's unless told.
   * @throws AppError TOO_MANY_CONCURRENT; `work` is stopped by its signal after the longest wait.
   */
  run<T>(request: FastifyRequest, work: (signal: AbortSignal) => Promise<T>, accountId?: string): Promise<T>
}

/** Where files that operators send lie, for the worker to read. */
export interface Intake {
  readonly dataDir: string
  readonly fileBytesMax: number
}

export interface RouteContext {
  /** For identity, cheap reads and writes. */
  readonly db: Db
  /** For records of the registers, which a standby may answer. */
  readonly registers: Db
  /** For what scans or counts a register, or reads an order whole. */
  readonly expensiveReads: ExpensiveReads
  /** Answers that are sent as they are read. */
  readonly openAnswers: OpenAnswers
  readonly eventStreams: EventStreams
  readonly queue: JobSender
  readonly settings: ApiSettings
  readonly delivery: DeliveryContext
  readonly intake: Intake
}

/** A route file exports one of these; the server registers it behind authentication unless it says otherwise. */
export type Routes = FastifyPluginAsyncZod<RouteContext>

export const limitKinds = ['search', 'details', 'screener'] as const
export type LimitKind = (typeof limitKinds)[number]

/** What is left of the daily limit that governs a request; `limit` is null where the plan has none. */
export interface LimitState {
  readonly kind: LimitKind
  readonly limit: number | null
  readonly remaining: number | null
  /** Next UTC midnight by the database's clock. */
  readonly resetAt: Date
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No bearer token is asked for. */
    readonly public?: boolean
    /** Under /admin, /console, /api and /app: the cookie of a browser opens it without X-CSRF-Token, and nothing else does. */
    readonly cookieAlone?: boolean
    /** Scopes that the session's key must have; `read` when unset. */
    readonly scopes?: readonly KeyScope[]
    /** Of a person who signed in: the least role, in place of scopes; the least that holds them when unset. */
    readonly atLeast?: AccountRole
    /** Under /admin, the role that the operator must have; when unset a GET needs a viewer and all else an operator. */
    readonly role?: OperatorRole
    /** The daily limit that a call uses one unit of; a call that fails gives its unit back. */
    readonly limit?: LimitKind
    /**
     * `Idempotency-Key` is honoured: see hooks/idempotency.ts. `with-effect`: the handler calls `keepAnswerOf` inside
     * the transaction of its effect, so a repeat is safe even after a crash between effect and answer.
     */
    readonly idempotent?: boolean | 'with-effect'
    /** It only ends what was begun, as deleting does, so it costs nothing of the budget of written bytes. */
    readonly ends?: boolean
    /** It closes, takes back or gives away what no later call restores. */
    readonly destructive?: boolean
    /** `If-None-Match` is honoured; the tag is of the answer's `data`: see hooks/etag.ts. */
    readonly etag?: boolean
    /**
     * Parameters are taken in any casing, and by these names, each with the one that it stands for: see
     * hooks/known-parameters.ts.
     */
    readonly otherNames?: Readonly<Record<string, string>>
    /** Time for the whole body, in ms; `HttpBounds.requestMs` when unset. */
    readonly bodyMs?: number
    /** What the audit log records: see operation.ts. */
    readonly audit?: Audited
    /** Machines ask it every few seconds. */
    readonly probe?: boolean
    /** An operator who looks on as an account may do it, which else changes nothing. */
    readonly leaves?: boolean
    /** A key that is bound to a standing order may do it to that one. */
    readonly ofBudget?: boolean
    /** Open to a person who must still add a second factor. */
    readonly beforeFactor?: boolean
    /** Answered also while load is shed. */
    readonly exempt?: boolean
    /** Errors of its own, beyond those that follow from its kind: see documented-errors.ts. */
    readonly errors?: readonly ErrorCode[]
  }
  interface FastifyRequest {
    /** Set by the authentication hook on every route that is not public. Read it through `principalOf`. */
    principal: Principal | null
    /** Set by the limit hook on routes with `config.limit`. */
    limitState: LimitState | null
    /** Set by the operator check, which lets nobody without role enough for the route pass. Read it through `operatorOf`. */
    operatorName: string | null
    /** Id of the operator's row, or `environment`; set with the name. */
    operatorId: string | null
    /** Of the credential that the operator presented, see src/access/operator-proof.ts. */
    operatorProof: string | null
  }
}

/** The caller of a route behind authentication. */
export function principalOf(request: { readonly principal: Principal | null }): Principal {
  if (!request.principal) throw new Error('this route runs without the authentication hook')
  return request.principal
}
