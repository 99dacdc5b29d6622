/** Checks that orders and destinations named by a caller exist: a mistyped id is an error, not an empty list. */
import type { Queryable } from '../../db/db.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'

export interface Named {
  readonly orderId?: string | undefined
  readonly destinationId?: string | undefined
}

/** @throws AppError NOT_FOUND, naming the id. Removed destinations still count, since their deliveries remain. */
export async function requireNamed(db: Queryable, { orderId, destinationId }: Named): Promise<void> {
  await require(db, 'order', orderId, 'SELECT FROM orders.purchase WHERE order_id = $1')
  await require(db, 'destination', destinationId, 'SELECT FROM deliver.destination WHERE destination_id = $1')
}

async function require(db: Queryable, what: string, id: string | undefined, exists: string): Promise<void> {
  if (id === undefined) return
  const found = isUuid(id) ? await db.query(exists, [id]) : []
  if (found.length === 0) throw new AppError('NOT_FOUND', `There is no ${what} ${id}.`)
}
