/** A notice for standing orders that cannot find anything, because no plan of the account opens new registrations. */
import { soldRegistrations } from '../access/sold-registrations.ts'
import type { Queryable } from '../db/db.ts'
import type { StandingOrder } from './standing-order.ts'

const registers = { company: 'companies', gst: 'GST registrations' } as const

/**
 * @returns null if not applicable: a watchlist reports existing records, and a plan may open a part of the new ones.
 */
export async function standingNotice(
  db: Queryable,
  { source, type }: StandingOrder,
  holder: { readonly accountId: string; readonly isEnterprise: boolean },
): Promise<string | null> {
  if (source === 'watchlist') return null
  const sold = await soldRegistrations(db, holder, type)
  if (sold === null || sold.entitled.length > 0) return null
  return (
    `No active plan of yours opens the ${registers[type]} that were registered from ${sold.from} on, so this standing order finds none ` +
    'of them. GET /api/access says what your plans open, and GET /api/plans which others do.'
  )
}
