/**
 * A key that is bound to a standing order: for a program that may approve, read and stop it, but cannot spend beyond
 * its budget, because it can neither place orders by hand nor change the budget.
 */
import type { Queryable } from '../db/db.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'

/** The most that such a key may have. */
export const boundScopes: readonly KeyScope[] = ['read', 'order']

/** @throws AppError NOT_FOUND if the account has no such standing order, UNPROCESSABLE for further scopes. */
export async function requireBindable(
  tx: Queryable,
  accountId: string,
  { standingOrderId, scopes }: { readonly standingOrderId: string; readonly scopes: readonly KeyScope[] },
): Promise<void> {
  const found = isUuid(standingOrderId)
    ? await tx.query('SELECT FROM orders.standing_order WHERE standing_order_id = $1 AND account_id = $2', [
        standingOrderId,
        accountId,
      ])
    : []
  if (found.length === 0) throw new AppError('NOT_FOUND', 'There is no standing order with this ID.')
  if (scopes.every((scope) => boundScopes.includes(scope))) return
  throw new AppError(
    'UNPROCESSABLE',
    `scopes: a key bound to a standing order can have at most ${boundScopes.join(' and ')}.`,
  )
}

interface Asked {
  readonly scopes: readonly KeyScope[]
  /** The operation acts on a standing order within its budget. */
  readonly ofBudget: boolean
  /** ID of the standing order of the call. */
  readonly id: string | undefined
}

/** @throws AppError SCOPE_MISSING where a bound key is used for more than reads and its own standing order. */
export function requireWithinBudget(bound: string | null, { scopes, ofBudget, id }: Asked): void {
  if (bound === null || scopes.every((scope) => scope === 'read') || (ofBudget && id === bound)) return
  throw new AppError(
    'SCOPE_MISSING',
    `The key of this session is bound to the standing order ${bound}: it can act only on that one, and cannot change its budget.`,
    { extra: { missing_scopes: [], standing_order_id: bound } },
  )
}
