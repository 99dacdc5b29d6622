/**
 * One operation of the API, declared whole: its place in the document, who may call it, what it costs the caller, what the
 * audit log records, and what it does. Server, document, audit log and allowances are made from these declarations.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Audited } from '../audit/audited.ts'
import type { AccountRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import type { ErrorCode } from '../errors.ts'
import type { LimitKind } from './route-context.ts'
import type { ServerContext } from './server-context.ts'

/**
 * Anybody; an account whose session's key has all of these scopes, or its person a role; an operator of at least this role. Those with `cookie` are
 * of a browser's session: `alone` asks for no X-CSRF-Token, and is opened by nothing else.
 */
export type Caller = 'public' | ((ByScopes | ByRole) & { readonly cookie?: 'alone' | 'csrf' })
interface ByScopes {
  readonly scopes: readonly KeyScope[]
  /** Of a person who signed in, whose role counts in place of scopes: the least one. What the scopes say when unset. */
  readonly atLeast?: AccountRole
}
interface ByRole {
  readonly role: OperatorRole
}

type Replies = Readonly<Record<number, z.ZodType | DescribedReply>>
/** Sent as it is read: the schema describes it, and shapes nothing. */
interface DescribedReply {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>
}
type Answer<R extends Replies> = AnswerOf<R[keyof R]>
type AnswerOf<T> = T extends z.ZodType
  ? z.input<T>
  : T extends { readonly content: { readonly 'application/json': { readonly schema: infer S extends z.ZodType } } }
    ? z.input<S>
    : never

/** What is told of an operation beside what it does. */
export interface OperationFacts {
  /** `operationId` of the document, a name in the client, and the words of its act in the audit log. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `:name`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly caller: Caller
  readonly audit: Audited
  /** It sees the rows of all accounts, since it reads registers, or nobody is known yet: see docs/security.md. */
  readonly seesAll?: boolean
  /** Machines ask it every few seconds: it is not traced, and its answers wait for nobody. */
  readonly probe?: boolean
  /** An operator who looks on as an account may do it, which else changes nothing. */
  readonly leaves?: boolean
  /** A key that is bound to a standing order may do it to that one: it spends within the budget. */
  readonly ofBudget?: boolean
  /** Open to a person who must still add a second factor. */
  readonly beforeFactor?: boolean
  /** Answered also while load is shed. */
  readonly exempt?: boolean
  /** Errors of its own, beyond those that follow from its kind: see documented-errors.ts. */
  readonly errors?: readonly ErrorCode[]
  /** The daily limit that a call uses one unit of; a call that fails gives its unit back. */
  readonly limit?: LimitKind
  /** `Idempotency-Key` is honoured: see hooks/idempotency.ts. */
  readonly idempotent?: boolean | 'with-effect'
  /** It only ends something, and costs nothing of the account's budget of written bytes: see hooks/write-budget.ts. */
  readonly ends?: boolean
  /** It closes, takes back or gives away what no later call restores; DELETE always does. */
  readonly destructive?: boolean
  /** `If-None-Match` is honoured; the tag is of the answer's `data`: see hooks/etag.ts. */
  readonly etag?: boolean
  /** Parameters are taken in any casing, and by these names: see hooks/known-parameters.ts. */
  readonly otherNames?: Readonly<Record<string, string>>
  readonly bodyBytesMax?: number
  /** Time for the whole body, in ms; `HttpBounds.requestMs` when unset. */
  readonly bodyMs?: number
  /** Content types of the body, where it is no JSON. */
  readonly consumes?: readonly string[]
  /** An answer as the document shows it; null where it is no JSON, or nothing. */
  readonly example: unknown
}

interface Declared<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies>
  extends OperationFacts {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
  /** Prepared once per server; what it returns answers a call, with the one status of `reply` below 300 unless it says another. */
  readonly handle: (
    context: ServerContext,
  ) => (
    request: FastifyRequest & { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    reply: FastifyReply,
  ) => Promise<Answer<R> | FastifyReply>
}

export interface Operation extends OperationFacts {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly reply: Replies
  handle(context: ServerContext): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** An operation whose schemas are known to whoever calls it within the process. */
type Known<P, Q, B, R> = Omit<Operation, 'params' | 'query' | 'body' | 'reply'> & {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
}

export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies>(
  declared: Declared<P, Q, B, R>,
): Known<P, Q, B, R> {
  // Fastify hands a request over as its schemas have read it.
  return declared as unknown as Known<P, Q, B, R>
}
