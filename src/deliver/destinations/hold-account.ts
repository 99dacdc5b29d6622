/**
 * Locks the account's credits before an acknowledgement is recorded: it spends what its order reserved, and orders
 * that are delivered as they are placed lock in the same sequence. Likewise before anything that must not happen beside
 * either.
 */
import type { Queryable } from '../../db/db.ts'

/** Held until the transaction ends. */
export async function holdAccountOf(tx: Queryable, destinationId: string): Promise<void> {
  await tx.query('SELECT ledger.customer(account_id) FROM deliver.destination WHERE destination_id = $1', [
    destinationId,
  ])
}
