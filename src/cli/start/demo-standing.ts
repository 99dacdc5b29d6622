/** The standing order of the sample world: new companies in Goa are delivered to every sandbox CRM. */
import { listDestinations } from '../../deliver/destinations/destination-view.ts'
import { createStanding } from '../../standing/create.ts'
import type { Draft } from '../../standing/draft.ts'
import { listStanding } from '../../standing/standing-order.ts'
import { resumeStanding } from '../../standing/switch.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'

/** Does nothing if it exists already. */
export async function placeDemoStanding(
  { connectors }: CommandContext,
  { db, secretKey }: OpenInstance,
  userId: string,
): Promise<void> {
  const { total } = await listStanding(db, userId, { page: 1, limit: 1 })
  if (total > 0) return
  const destinations = await listDestinations({ db, connectors, secretKey }, userId)
  const draft: Draft = {
    name: 'New companies in Goa',
    source: 'screener',
    type: 'company',
    query: "State == 'Goa'",
    screenerId: null,
    watchlistId: null,
    hasMobile: true,
    hasEmail: false,
    activeOnly: true,
    buys: true,
    budget: { day: 20, month: 200, run: 10 },
    prefer: 'newest',
    destinations: destinations.map(({ destination_id }) => destination_id),
    mappings: {},
    schedule: 'import',
    endsOn: null,
  }
  await db.transaction(async (tx) => {
    const { standingOrderId } = await createStanding(tx, userId, draft, 'system')
    await resumeStanding(tx, userId, standingOrderId, { actor: 'system' })
    // A new user should see a lead arrive automatically; elsewhere the first run needs approval.
    await tx.execute('UPDATE orders.standing_order SET approved_at = now() WHERE standing_order_id = $1', [
      standingOrderId,
    ])
  })
}
