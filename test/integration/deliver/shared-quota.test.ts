/** A quota that one destination met is waited for by all that lead into the same account of the CRM, and each says why. */
import { beforeEach, expect, test } from 'vitest'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
beforeEach(() => world.stopWorker())

test.each([
  ['hubspot', "HubSpot's DAILY limit is used up"],
  ['salesforce', 'TotalRequests Limit exceeded'],
])(
  'in %s the second destination of an account whose quota the first met names it in the vendor’s word, too',
  async (crm, word) => {
    const { signal } = new AbortController()
    const destinations = [await world.addDestination(crm, {}, 'First'), await world.addDestination(crm, {}, 'Second')]
    const work = (destinationId: string) => reconcile(world.parts(), destinationId, signal)
    const push = async (n: number) => {
      const orderId = await world.order([gstLead(n)])
      for (const destinationId of destinations) await world.push(orderId, destinationId)
    }
    await push(1)
    for (const destinationId of destinations) expect(await work(destinationId)).toMatchObject({ failure: null })
    await push(2)
    world.box(crm).addFault({ kind: 'daily_limit', times: 1 })
    for (const destinationId of destinations) expect((await work(destinationId)).failure?.message).toContain(word)
    const shown = await world.database.db.query<{ status: string; message: string }>(
      `SELECT status, failure ->> 'message' AS message FROM deliver.destination WHERE destination_id = ANY($1)`,
      [destinations],
    )
    for (const { status, message } of shown)
      expect([status, message]).toEqual(['active', expect.stringContaining(word)])
  },
)
