/** What hooks, limits and the document read of a route, besides its caller and its schemas. */
import type { DailyLimitKind } from '../access/admission.ts'
import type { Audited } from '../audit/audited.ts'
import type { ErrorCode } from '../errors.ts'

export interface RouteFacts {
  readonly audit?: Audited
  /** Polled by machines every few seconds: it is not traced, and its responses are never delayed. */
  readonly probe?: boolean
  /** An operator who views an account may do it although a view changes nothing else. */
  readonly leaves?: boolean
  /** A key that is bound to a standing order may do it to that one: it spends within the budget. */
  readonly ofBudget?: boolean
  /** Open to a person who must still add a second factor. */
  readonly beforeFactor?: boolean
  /** Answered even while load is shed. */
  readonly exempt?: boolean
  /** Its own errors, beyond those implied by its kind: see documented-errors.ts. */
  readonly errors?: readonly ErrorCode[]
  /** The daily limit that a call uses one unit of; a failed call returns its unit. */
  readonly limit?: DailyLimitKind
  /**
   * `Idempotency-Key` is honoured: see hooks/idempotency.ts. `with-effect`: the handler calls `keepAnswerOf` inside the
   * transaction of its effect, so a repeat is safe even after a crash between effect and response.
   */
  readonly idempotent?: boolean | 'with-effect'
  /** It only ends something, and costs nothing of the account's byte budget: see hooks/write-budget.ts. */
  readonly ends?: boolean
  /** It closes, withdraws or gives away what no later call can restore; DELETE always does. */
  readonly destructive?: boolean
  /** `If-None-Match` is honoured; the tag covers the response's `data`: see hooks/etag.ts. */
  readonly etag?: boolean
  /** Parameters are accepted in any casing, and under these aliases: see hooks/known-parameters.ts. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** Time for the whole body, in ms; `HttpBounds.requestMs` when unset. */
  readonly bodyMs?: number
}
