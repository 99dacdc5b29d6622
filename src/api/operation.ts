/**
 * One operation of the API, declared in full: its place in the document, who may call it, what it costs the caller,
 * what the audit log records, and what it does. Server, document, audit log and allowances are built from these
 * declarations.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Audited } from '../audit/audited.ts'
import type { AccountRole } from '../domain/account-role.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import { type OperatorActor, operatorOf } from './hooks/operator.ts'
import { type Principal, principalOf } from './route-context.ts'
import type { RouteFacts } from './route-facts.ts'
import type { ServerContext } from './server-context.ts'

/**
 * Anybody; an account whose session's key has all of these scopes, or whose person has the role; an operator of at
 * least this role. Those with `cookie` belong to a browser's session: `alone` requires no X-CSRF-Token, and nothing
 * else opens it.
 */
export type Caller = 'public' | ((ByScopes | ByRole) & { readonly cookie?: 'alone' | 'csrf' })
interface ByScopes {
  readonly scopes: readonly KeyScope[]
  /** The least role of a signed-in person, which replaces scopes. Derived from the scopes when unset. */
  readonly atLeast?: AccountRole
}
interface ByRole {
  readonly role: OperatorRole
}
/** What the authentication found: the account, or the operator's name in the audit log. */
type Authenticated<C extends Caller> = C extends 'public' ? undefined : C extends ByRole ? OperatorActor : Principal

type Replies = Readonly<Record<number, z.ZodType | DescribedReply>>
/** Streamed as it is read: the schema only describes it. */
interface DescribedReply {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>
}
type Answer<R extends Replies> = AnswerOf<R[keyof R]>
type AnswerOf<T> = T extends z.ZodType
  ? Shown<T>
  : T extends { readonly content: { readonly 'application/json': { readonly schema: infer S extends z.ZodType } } }
    ? Shown<S>
    : never

/** What is answered in the form of a schema: the flows' own values, which nobody changes. */
export type Shown<T extends z.ZodType> = Immutable<z.input<T>>
type Immutable<T> = T extends readonly (infer E)[]
  ? readonly Immutable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T

/** Properties of an operation apart from what it does. */
export interface OperationFacts extends RouteFacts {
  /** `operationId` of the document, a name in the client, and the name of its act in the audit log. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `:name`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly caller: Caller
  readonly audit: Audited
  /**
   * It sees the rows of all accounts, because it reads registers, or because the caller is not known yet: see
   * docs/security.md.
   */
  readonly seesAll?: boolean
  readonly bodyBytesMax?: number
  /** Content types of the body, where it is not JSON. */
  readonly consumes?: readonly string[]
  /** Example response in the document; null where it is not JSON, or empty. */
  readonly example: unknown
}

interface Declared<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies, C extends Caller>
  extends OperationFacts {
  readonly caller: C
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
}

/** A request as parsed by the schemas of its operation. */
export type Asked<
  P extends z.ZodType,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
> = FastifyRequest & {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
}

/** Answers a call, with the one status of `reply` below 300 unless it sets another. */
type Answering<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies, C extends Caller> = (
  request: Asked<P, B, Q>,
  caller: Authenticated<C>,
  reply: FastifyReply,
) => Promise<Answer<R> | FastifyReply>
interface Handled<A extends (...call: never) => unknown> {
  readonly handle: (context: ServerContext, ...call: Parameters<A>) => ReturnType<A>
}
/** Prepared once per server, for what it keeps between calls. */
interface Prepared<A> {
  readonly prepare: (context: ServerContext) => A
}

export interface Operation extends OperationFacts {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly reply: Replies
  prepare(context: ServerContext): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** An operation whose schemas are known to a caller within the process. */
type Known<P, Q, B, R> = Omit<Operation, 'params' | 'query' | 'body' | 'reply'> & {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
}

export function operation<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends Replies,
  C extends Caller,
>(
  declared: Declared<P, Q, B, R, C> & (Handled<Answering<P, Q, B, R, C>> | Prepared<Answering<P, Q, B, R, C>>),
): Known<P, Q, B, R> {
  const prepare: Operation['prepare'] = (context) => {
    const answer = 'prepare' in declared ? declared.prepare(context) : declared.handle.bind(undefined, context)
    // Fastify passes a request as parsed by its schemas.
    return (request, reply) =>
      answer(request as Asked<P, B, Q>, authenticated(declared.caller, request) as Authenticated<C>, reply)
  }
  return { ...declared, prepare } as unknown as Known<P, Q, B, R>
}

function authenticated(caller: Caller, request: FastifyRequest): OperatorActor | Principal | undefined {
  if (caller === 'public') return undefined
  return 'role' in caller ? operatorOf(request) : principalOf(request)
}
