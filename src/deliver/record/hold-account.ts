/**
 * Whoever may write that a CRM acknowledged something holds the credits of its account first: the acknowledgement spends what
 * its order held, and orders that are delivered as they are placed come to the records by the same way.
 */
import type { Queryable } from '../../db/db.ts'

/** Until the transaction ends. */
export async function holdAccountOf(tx: Queryable, destinationId: string): Promise<void> {
  await tx.query('SELECT ledger.customer(account_id) FROM deliver.destination WHERE destination_id = $1', [
    destinationId,
  ])
}
