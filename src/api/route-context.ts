/** What a route file gets from the server, and what it may ask of a request. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '../db/db.ts'
import type { JobSender } from '../queue/queue.ts'

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
}

export interface RouteContext {
  readonly db: Db
  readonly queue: JobSender
  readonly settings: ApiSettings
}

/** A route file exports one of these; the server registers it behind authentication unless it says otherwise. */
export type Routes = FastifyPluginAsyncZod<RouteContext>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on every route that is not public. Read it through `principalOf`. */
    principal: Principal | null
  }
}
