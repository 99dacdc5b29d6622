/** What a route file gets from the server, and what it may ask of a request. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '../db/db.ts'
import type { ErrorCode } from '../errors.ts'
import type { PaymentProcessor } from '../orders/payments/processor.ts'
import type { JobSender } from '../queue/queue.ts'
import type { DearReads } from './dear-reads.ts'

/** The account behind an access token, checked on every call. */
export interface Principal {
  readonly accountId: string
  readonly sessionId: string
  readonly email: string
  readonly username: string
  readonly plan: 'free' | 'premium'
  readonly isEnterprise: boolean
}

export interface ApiSettings {
  readonly leadSource: string
  /** Label that, like `online`, asks for online payment. */
  readonly onlineLabel: string
  /** Takes online payments; undefined where none is configured. */
  readonly payments?: PaymentProcessor | undefined
}

export interface RouteContext {
  /** For identity, cheap reads and writes. */
  readonly db: Db
  /** For what scans or counts a register, or reads an order whole. */
  readonly dearReads: DearReads
  readonly queue: JobSender
  readonly settings: ApiSettings
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
    /** The daily limit that a call uses one unit of; a call that fails gives its unit back. */
    readonly limit?: LimitKind
    /**
     * `Idempotency-Key` is honoured: see hooks/idempotency.ts. `with-effect`: the handler calls `keepReply` inside
     * the transaction of its effect, so a repeat is safe even after a crash between effect and answer.
     */
    readonly idempotent?: boolean | 'with-effect'
    /** `If-None-Match` is honoured; the tag is of the answer's `data`: see hooks/etag.ts. */
    readonly etag?: boolean
    /** Errors of its own, beyond those that follow from its kind: see documented-errors.ts. */
    readonly errors?: readonly ErrorCode[]
  }
  interface FastifyRequest {
    /** Set by the authentication hook on every route that is not public. Read it through `principalOf`. */
    principal: Principal | null
    /** Set by the limit hook on routes with `config.limit`. */
    limitState: LimitState | null
    /** Set by the operator check. Read it through `operatorOf`. */
    operatorName: string | null
  }
}

/** The caller of a route behind authentication. */
export function principalOf(request: { readonly principal: Principal | null }): Principal {
  if (!request.principal) throw new Error('this route runs without the authentication hook')
  return request.principal
}
