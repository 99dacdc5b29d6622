/**
 * A key that is bound to a standing order: for a program that may let it buy, look into it and stop it, and can spend nothing
 * beyond its budget, since it neither orders by hand nor changes what the budget is.
 */
import type { Queryable } from '../db/db.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'

/** All that such a key may have. */
export const boundScopes: readonly KeyScope[] = ['read', 'order']

/** @throws AppError NOT_FOUND for no standing order of the account, UNPROCESSABLE for scopes that reach beyond it. */
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
  if (found.length === 0) throw new AppError('NOT_FOUND', 'There is no standing order of this id.')
  if (scopes.every((scope) => boundScopes.includes(scope))) return
  throw new AppError(
    'UNPROCESSABLE',
    `scopes: a key that is bound to a standing order has ${boundScopes.join(' and ')} at most.`,
  )
}

interface Asked {
  readonly scopes: readonly KeyScope[]
  /** The operation acts on a standing order within its budget. */
  readonly ofBudget: boolean
  /** Of the standing order that the call names. */
  readonly id: string | undefined
}

/** @throws AppError SCOPE_MISSING where a bound key asks for more than reading, or for its own standing order. */
export function requireWithinBudget(bound: string | null, { scopes, ofBudget, id }: Asked): void {
  if (bound === null || scopes.every((scope) => scope === 'read') || (ofBudget && id === bound)) return
  throw new AppError(
    'SCOPE_MISSING',
    `The key of this session is bound to the standing order ${bound}: it acts on that one, and cannot change its budget.`,
    { extra: { missing_scopes: [], standing_order_id: bound } },
  )
}
